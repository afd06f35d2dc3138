// SPDX-License-Identifier: Apache-2.0
//
// What a file has beside its bytes: owner, extended attributes (access lists and security labels
// are some of them), and flags that forbid a change.
//
// Limits: attributes that the caller may not see (`trusted.*` for a plain user) are not listed, so
// not kept. Attributes that are made from the content (`security.ima`, `security.evm`) are left
// out: they would be false of other content.
//
// Errors: see os_error.h. A file system without attributes has none, and that is an answer.
// Platform: Linux only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/dir.h"
#include "os/file.h"

namespace holdfast::os {

struct Attribute {
  std::string name;
  std::string value;

  auto operator<=>(const Attribute&) const = default;
};

// The names of the attribute that holds an access list: setting the mode changes it too.
inline constexpr std::string_view kAccessListAttribute = "system.posix_acl_access";

// Sorted by name.
Result<std::vector<Attribute>> read_attributes(const File& file);
Result<> set_attribute(const File& file, const Attribute& attribute);
Result<> remove_attribute(const File& file, const std::string& name);

// Clears the set-user-id bits where the system does; so set the mode afterwards.
Result<> set_owner(const File& file, std::uint32_t uid, std::uint32_t gid);

// The user that a new file of this process belongs to.
std::uint32_t own_uid();

struct Fixity {
  bool immutable = false;    // chattr +i
  bool append_only = false;  // chattr +a
  bool mount_point = false;  // something is mounted on it, as for a single-file bind mount
};
// Of a name, no link followed, and of the directory itself. What the kernel or file system does not
// tell is false: these serve early and clear refusals, and the act itself is refused all the same.
Fixity fixity(const Dir& dir, const SafeName& name);
Fixity fixity(const Dir& dir);

// The bits that a new file of this process does not get. Limit: another thread that creates a file
// in this very moment may get fewer rights than it asked for, never more.
std::uint32_t file_mode_mask();

}  // namespace holdfast::os
