// SPDX-License-Identifier: Apache-2.0
#include "gc/known_ids.h"

#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

Result<> record_one(const Services& services, const KnownId& known) {
  auto hold = HF_TRY(session::WorkspaceHold::take(services.sessions, known.session, {}));
  if (!hold) return {};
  WorkspaceRecord record = hold->record();
  if (record.id != known.id || record.change != known.change || !record.authority) return {};
  record.authority->full_id = known.full_id;
  return hold->write(std::move(record), os::Durability::kNone);
}

}  // namespace

void record_ids(const Services& services, const std::vector<KnownId>& known) {
  for (const KnownId& one : known) {
    if (services.stop.raised()) return;
    [[maybe_unused]] const auto written = record_one(services, one);
  }
}

}  // namespace holdfast::gc
