// SPDX-License-Identifier: Apache-2.0
//
// Owner, mode and access lists of a directory, by its handle; and whether this process could make
// something in it. (metadata.h has what concerns files.)
//
// Errors: see os_error.h; kRefused `unsupported` for an owner by number on Windows, where set_mode
// gives the list that make_dir gives for that mode, and every thing has an access list.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::os {

// Clears the set-group-id bit where the system does; so set the mode afterwards.
Result<> set_owner(const Dir& dir, std::uint32_t uid, std::uint32_t gid);
// Exactly `mode`, whatever the umask.
Result<> set_mode(const Dir& dir, std::uint32_t mode);

// Does an access list say more about who may do what than mode and owner do?
Result<bool> has_access_list(const Dir& dir);
Result<bool> has_access_list(const File& file);

// An early and clear refusal: kOsRefused where rights, a read-only file system or a flag forbid to
// make a name in `dir`. The act itself is refused all the same.
Result<> check_may_create(const Dir& dir);

}  // namespace holdfast::os
