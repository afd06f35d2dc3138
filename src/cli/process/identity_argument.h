// SPDX-License-Identifier: Apache-2.0
//
// ID on the command line: which process is meant.
//
//   '{"v":1,…}'   an identity as `holdfast identify` prints it
//   @FILE         the same in a file
//   -             the same on stdin
//   NAME          the command of this session
//
// A bare number is none of these: it may be another process by now (kUsage, cause `bare-pid`). A
// session whose name is a number or begins with one of these signs cannot be named here.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "format/session/process_identity.h"
#include "format/session/session_record.h"

namespace holdfast::cli {

inline constexpr std::string_view kIdentityHelp =
    "which process: a line that `holdfast identify` printed, `@FILE` or `-` (stdin) with it, or "
    "the "
    "name of a session";

bool names_a_session(const std::string& typed);

// Errors: kUsage `bare-pid`; of format/session/process_identity.h; of reading the file; of the session.
Result<IdentityRecord> identity_argument(const Context& context, const std::string& typed);

}  // namespace holdfast::cli
