// SPDX-License-Identifier: Apache-2.0
//
// The access list and the owner of an open thing as text, read and given; for src/os/*/*_win.cc only.
//
// The text of a list is its SDDL without what only says how it came about: `P` in front where it is
// protected from inheritance, then its entries, the inherited ones included. Given back, the
// entries are set as they are: nothing is computed anew from the directory above. So a file that
// was moved here from a private directory stays private when it is replaced.
//
// Each call opens the same thing again for the one right that it needs (ReOpenFile), so that
// nobody else holds handles that could change a list.
//
// Under Wine 8 a list is made up from the Unix mode (security_win.h), and read back as such.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

Result<std::string> access_list_text(HANDLE handle, const std::string& path);
Result<> set_access_list(HANDLE handle, const std::string& text, const std::string& path);

// As BirthAccess has it for a new thing: no bits for group and others is a protected list for this
// user, SYSTEM and Administrators; any other mode is what the directory above passes on.
Result<> set_access_for_mode(HANDLE handle, std::uint32_t mode, const std::string& path);

// The SID.
Result<std::string> owner_text(HANDLE handle, const std::string& path);
// Another's needs a privilege that only administrators have.
Result<> set_owner_text(HANDLE handle, const std::string& sid, const std::string& path);

}  // namespace holdfast::os
