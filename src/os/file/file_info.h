// SPDX-License-Identifier: Apache-2.0
//
// What a file is, as its handle (or its name, links not followed) tells.
#pragma once

#include <compare>
#include <cstdint>

#include "base/clock.h"

namespace holdfast::os {

enum class FileType : std::uint8_t { kRegular, kDirectory, kLink, kOther, kUnknown };

// The inode: two handles with the same id are the same file, whatever their names.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const FileId&) const = default;
};

struct FileInfo {
  FileType type = FileType::kUnknown;
  FileId id;
  std::uint64_t size = 0;
  std::uint64_t links = 0;
  std::uint32_t mode = 0;  // permission bits (07777); 0 on Windows
  std::uint32_t uid = 0;   // 0 on Windows, where Exposure is what counts
  std::uint32_t gid = 0;
  WallTime modified{};  // the content
  WallTime changed{};   // anything about it, its attributes and names too; on Windows as `modified`
};

// Who else could tamper with a file or directory. On POSIX it comes from owner and mode (the group
// bits hold the mask of an ACL, so an ACL that lets others write shows here too); on Windows from
// the owner's SID and the access control list.
struct Exposure {
  // kSystem: root, or SYSTEM, Administrators and TrustedInstaller: they can do anything anyway.
  enum class Owner : std::uint8_t { kSelf, kSystem, kOther };
  enum class Others : std::uint8_t { kNothing, kRead, kWrite };

  Owner owner = Owner::kOther;
  Others others = Others::kWrite;
  // Of a directory: can they put something else in place of what is in it? Not where all that they
  // may is to add to it.
  bool others_can_swap = true;
};

}  // namespace holdfast::os
