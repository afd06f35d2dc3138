// SPDX-License-Identifier: Apache-2.0
#include "cli/process/identity_argument.h"

#include "cli/frame/command_line.h"
#include "cli/frame/user_file.h"
#include "cli/process/session_identity.h"
#include "os/stream/stdio.h"

namespace holdfast::cli {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-0123456789") == text.npos;
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
