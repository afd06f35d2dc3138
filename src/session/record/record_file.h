// SPDX-License-Identifier: Apache-2.0
//
// `session.json` of a directory, whichever it is: the session's own, or one of its runs/<n>/.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "format/session/session_record.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"

namespace holdfast::session {

// nullopt: there is none. kCorrupt `other-session` where it is not of `name`.
Result<std::optional<SessionRecord>> read_record(const os::Dir& dir, std::string_view name);
Result<> write_record(const os::Dir& dir, const SessionRecord& record, os::Durability durability);

}  // namespace holdfast::session
