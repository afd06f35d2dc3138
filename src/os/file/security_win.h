// SPDX-License-Identifier: Apache-2.0
//
// Who may touch a file: judged by its handle, asked for at its birth, and its access list and owner as
// text; for src/os/*/*_win.cc only.
//
// Trusted, and therefore never counted as "others": this user, SYSTEM, the Administrators group
// (whoever is in it can take any file anyway, as root can on POSIX), and the two names that stand
// for the owner (whose own trust is judged apart).
//
// Under Wine 8 owner and list are made up from the Unix owner and mode: an entry for the group is
// never shown, and a list asked for at birth is kept only as far as the mode can hold it. What a
// real list with foreign entries looks like is judged in security_win_test.cc on lists in memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "os/file/file.h"
#include "os/sys/handle.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

// The handle needs READ_CONTROL. What cannot be read or judged is an error, never "nobody".
Result<Exposure> exposure_of(HANDLE handle, const std::string& path);

// The same judgement on an owner and a list (null: none, which lets everybody in).
Result<Exposure> judge_access(PSID owner, PACL list, const std::string& path);

struct LocalMemoryTraits {
  using Value = void*;
  static void* nothing() { return nullptr; }
  static void close(void* memory) { sys().LocalFree(memory); }
};
using LocalMemory = Scoped<LocalMemoryTraits>;

// What to pass to CreateFileW or CreateDirectoryW for a POSIX `mode`. No bits for group and others
// ("only me"): a list of its own, protected from inheritance, with full rights for this user,
// SYSTEM and Administrators, owned by this user; entries below a directory inherit it. Any other
// mode: what the directory above passes on. The owner's bits mean nothing here.
class BirthAccess {
 public:
  static Result<BirthAccess> for_mode(std::uint32_t mode);

  // Null where the directory decides. Valid as long as this object. Never lets a child inherit.
  SECURITY_ATTRIBUTES* attributes() { return descriptor_.valid() ? &attributes_ : nullptr; }

 private:
  LocalMemory descriptor_;
  SECURITY_ATTRIBUTES attributes_{};
};

// The access list and the owner of an open thing as text, read and given (access_list_win.cc).
//
// The text of a list is its SDDL without what only says how it came about: `P` in front where it is
// protected from inheritance, then its entries, the inherited ones included. Given back, the
// entries are set as they are: nothing is computed anew from the directory above. So a file that
// was moved here from a private directory stays private when it is replaced.
//
// Each call opens the same thing again for the one right that it needs (ReOpenFile), so that
// nobody else holds handles that could change a list.
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
