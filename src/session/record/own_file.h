// SPDX-License-Identifier: Apache-2.0
//
// Opening what lies at a name of ours inside a session's directory, and that directory itself, only
// where nobody but this user could have put it there.
//
// Refused (kRefused): `is-link`, `not-a-regular-file`, `not-a-directory`, `foreign-owner`,
// `writable-by-others`, and of files `hard-linked`: a file with a second name may be a file of this
// user's that somebody else gave a name of ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/session/session_record.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"

namespace holdfast::session {

// nullopt: there is none.
Result<std::optional<os::File>> open_own_file(const os::Dir& dir, const os::SafeName& name,
                                              os::Access access = os::Access::kRead);
// `bytes` become all that the file holds, in one step; it is 0600 then. They are on stable storage
// before the name leads to them, whatever `durability`: after a power cut the name has the whole
// old or the whole new content, never neither (rule F4). kNotDurable where only the last sync
// failed.
Result<> replace_own_file(const os::Dir& dir, const os::SafeName& name, std::string_view bytes,
                          os::Durability durability);
// nullopt: there is none.
Result<std::optional<os::Dir>> open_own_dir(const os::Dir& parent, const os::SafeName& name);
// Made (0700) where it is missing.
Result<os::Dir> open_or_make_own_dir(const os::Dir& parent, const os::SafeName& name);

// What is said where the record at `path` is of the session `found` and not of the one whose name
// it has: kCorrupt `other-session`.
Error other_session(const std::string& path, const std::string& found);

// `session.json` of a directory, whichever it is: the session's own, or one of its runs/<n>/.

// nullopt: there is none. kCorrupt `other-session` where it is not of `name`.
Result<std::optional<SessionRecord>> read_record(const os::Dir& dir, std::string_view name);
Result<> write_record(const os::Dir& dir, const SessionRecord& record, os::Durability durability);

}  // namespace holdfast::session
