// SPDX-License-Identifier: Apache-2.0
#include "gc/bring_back.h"

#include "base/cause.h"
#include "base/printable.h"
#include "gc/outside_trash.h"
#include "gc/trash.h"
#include "session/workspace/outside.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

// True: it was in the trash, and is in its place again.
Result<bool> bring_one_back(const Services& services, const std::string& name) {
  const auto hold = HF_TRY(session::WorkspaceHold::take(services.sessions, name, Duration::zero()));
  if (!hold || !hold->record().outside) return false;
  auto entry = HF_TRY(session::confirmed_outside(services.sessions, hold->record()));
  if (!entry) return false;
  const Outside outside = HF_TRY(open_outside(*std::move(entry)));
  if (HF_TRY(where_is(outside)) != Lies::kInTrash) return false;
  // Of a workspace that is in the trash as a whole: this record only has its id.
  if (HF_TRY(is_in_trash(services.sessions.dir(), hold->file_name(), hold->record().id))) {
    return false;
  }
  return outside_back(outside);
}

}  // namespace

void bring_back(const Services& services, const std::vector<std::string>& names, Report& report) {
  for (const std::string& name : names) {
    if (services.stop.raised()) return;
    const auto back = bring_one_back(services, name);
    // Somebody is at it, or its disk is not there: the next clean-up looks again.
    if (!back && (back.error().code == ErrorCode::kNotFound ||
                  back.error().cause == cause::kWorkspaceBusy)) {
      continue;
    }
    if (!back) report.warnings.push_back(to_sentence(back.error()));
    if (back && *back) {
      report.warnings.push_back("the directory of '" + printable(name) +
                                "' was in the trash, where an earlier clean-up had left it when it "
                                "died; it is in its place again");
    }
  }
}

}  // namespace holdfast::gc
