// SPDX-License-Identifier: Apache-2.0
#include "cli/process/identity_argument.h"

#include "cli/frame/command_line.h"
#include "cli/frame/user_file.h"
#include "cli/session/session_found.h"
#include "os/stream/stdio.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-0123456789") == text.npos;
}

// Its newest record. Errors: kNotFound `no-such-session`; of reading the record, which is never
// taken for "no session".
Result<SessionRecord> session_record(const Context& context, const std::string& name) {
  const session::SessionDir dir = HF_TRY(find_session(context, name));
  auto record = HF_TRY(dir.read());
  if (!record) return fail(session::no_such_session(name));
  return std::move(*record);
}

// The process that a session's record names: its command, or its supervisor while no command was
// started, with the run id.
Result<IdentityRecord> session_identity(const Context& context, const std::string& name) {
  const SessionRecord record = HF_TRY(session_record(context, name));
  return IdentityRecord{.process = record.command.value_or(record.supervisor), .run = record.run};
}

}  // namespace

bool names_a_session(const std::string& typed) {
  return !typed.empty() && typed != "-" && !typed.starts_with('{') && !typed.starts_with('@') &&
         !is_number(typed);
}

Result<IdentityRecord> identity_argument(const Context& context, const std::string& typed) {
  if (typed.empty()) {
    return fail(usage_error("bad-value", "use the value of", "ID", "it is empty"));
  }
  if (typed == "-") return decode_identity(HF_TRY(os::read_stdin(kMaxIdentityBytes)), "stdin");
  if (typed.starts_with('{')) return decode_identity(typed, "ID");
  if (typed.starts_with('@')) {
    const std::string path = typed.substr(1);
    return decode_identity(HF_TRY(read_user_file(path, kMaxIdentityBytes)), path);
  }
  if (is_number(typed)) {
    return fail(
        usage_error("bare-pid", "take for an identity", "'" + typed + "'",
                    "a number may be another process by now; keep what `holdfast identify " +
                        typed + "` prints when the process is started, or use `kill --pidfile`"));
  }
  return session_identity(context, typed);
}

}  // namespace holdfast::cli
