// SPDX-License-Identifier: Apache-2.0
//
// What a file has beside its bytes: owner, extended attributes (access lists and security labels
// are some of them), and flags that forbid a change.
//
// Limits: attributes that the caller may not see (`trusted.*` for a plain user) are not listed, so
// not kept. Attributes that are made from the content (`security.ima`, `security.evm`) are left
// out: they would be false of other content.
//
// On Windows the attributes are the access list, the owner's SID, the bits hidden, system,
// not-indexed and encrypted, and the named streams (of 1 MiB at most); owners have no numbers there
// and mode says only "for me alone" or "as the directory has it" (file.h, shown_mode below).
//
// Errors: see os_error.h. A file system without attributes has none, and that is an answer.
// kRefused `unsupported` for what the platform has no word for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::os {

struct Attribute {
  std::string name;
  std::string value;

  auto operator<=>(const Attribute&) const = default;
};

// The names of the attribute that holds an access list: setting the mode changes it too.
inline constexpr std::string_view kAccessListAttribute = "system.posix_acl_access";
inline constexpr std::string_view kWindowsAccessList = "windows.access-list";
inline constexpr std::string_view kWindowsOwner = "windows.owner";  // a SID

// Sorted by name.
Result<std::vector<Attribute>> read_attributes(const File& file);
Result<> set_attribute(const File& file, const Attribute& attribute);
Result<> remove_attribute(const File& file, const std::string& name);

// Clears the set-user-id bits where the system does; so set the mode afterwards.
Result<> set_owner(const File& file, std::uint32_t uid, std::uint32_t gid);

// The user that a new file of this process belongs to; 0 on Windows.
std::uint32_t own_uid();

// Are owner and mode numbers that say who may do what? Not on Windows: FileInfo has zeros there.
bool has_owner_and_mode();

// Does it belong to the user of this process? `info` is what was seen of it. Linux compares
// numbers; Windows asks for the owner's SID again, of the open file or of what has the name, and
// answers kBusy where that is another thing by now.
Result<bool> is_own(const File& file, const FileInfo& info);
Result<bool> is_own(const Dir& dir, const SafeName& name, const FileInfo& info);

// The mode to compare with `wanted`. Linux: that of `info`. Windows: `wanted` itself where the
// access list agrees with it, else one that shows what others may do (0644, 0666, 0755, 0777). A
// `wanted` with bits for group or others agrees with every list.
Result<std::uint32_t> shown_mode(const File& file, const FileInfo& info, std::uint32_t wanted);
Result<std::uint32_t> shown_mode(const Dir& dir, const FileInfo& info, std::uint32_t wanted);
Result<std::uint32_t> shown_mode(const Dir& dir, const SafeName& name, const FileInfo& info,
                                 std::uint32_t wanted);

struct Fixity {
  bool immutable = false;    // chattr +i; the read-only bit of a file on Windows
  bool append_only = false;  // chattr +a
  bool mount_point = false;  // something is mounted on it, as for a single-file bind mount
  std::string_view how = "`lsattr` shows `i`";  // how a person sees that it is immutable
};
// Of a name, no link followed, and of the directory itself. What the kernel or file system does not
// tell is false: these serve early and clear refusals, and the act itself is refused all the same.
Fixity fixity(const Dir& dir, const SafeName& name);
Fixity fixity(const Dir& dir);

// Can a file that somebody has open be in the way of another that is to get its name? So it is on
// Windows, where the file system has no POSIX semantics of renaming: `ebusy` says that. On Linux
// never, and `ebusy` says that something is mounted on the name.
bool open_files_hold_names();

// The bits that a new file of this process does not get. Limit: another thread that creates a file
// in this very moment may get fewer rights than it asked for, never more. None on Windows.
std::uint32_t file_mode_mask();

}  // namespace holdfast::os
