// SPDX-License-Identifier: Apache-2.0
#include "cli/process/session_identity.h"

#include "cli/session/session_found.h"
#include "session/record/view.h"

namespace holdfast::cli {

Result<SessionRecord> session_record(const Context& context, const std::string& name) {
  const session::SessionDir dir = HF_TRY(find_session(context, name));
  auto record = HF_TRY(dir.read());
  if (!record) return fail(session::no_such_session(name));
  return std::move(*record);
}

Result<IdentityRecord> session_identity(const Context& context, const std::string& name) {
  const SessionRecord record = HF_TRY(session_record(context, name));
  return IdentityRecord{.process = record.command.value_or(record.supervisor), .run = record.run};
}

}  // namespace holdfast::cli
