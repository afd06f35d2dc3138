// SPDX-License-Identifier: Apache-2.0
//
// What a directory lies on: the kind of file system, as far as it matters for locks and for
// durability, and the mounts above it.
//
// Network and user-space file systems may answer a lock with "yes" on two machines at once, or
// forget it when a server restarts. Their list is known; a type that is not in either list is
// kUnknown, which is not "local": the caller decides what to do about it and says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

enum class FileSystemKind : std::uint8_t { kLocal, kMemory, kNetwork, kUserSpace, kUnknown };

struct FileSystem {
  std::string name;  // "ext4"; "0x…" where the type has no name here
  FileSystemKind kind = FileSystemKind::kUnknown;
  // For unprivileged users; nothing where the file system does not count its space (/sys).
  std::optional<std::uint64_t> free_bytes;
};

Result<FileSystem> file_system_of(const Dir& dir);

// What lies above a directory that was reached through a bind mount. Such a mount shows a part of a
// file system and hides what is above that part: going up from it leads to where it was mounted,
// and not to the directory that holds it. Whoever asks "what is this inside of?" must ask the other
// mounts too.
//
// MountTable::place_of: where its own mount is, and the paths to the same directory through those
// mounts of its file system that show more of what is above it. None is the usual answer: its own
// mount shows the whole file system, or none shows more. Each one was opened, and led to the same
// directory, a moment ago; or it may not be opened by this user.
//
// Limits: the table is of the moment of read(). Only mounts that this process can see and reach
// count: what a container was given of a directory outside is not known for that inside of it. A
// path may be swapped: whoever acts uses a handle.
// Errors: kCannotTell `no-mount-table` where /proc does not tell, or knows the mount of this
// directory only since then; else os_error.h.
// Windows: a mounted folder is a reparse point, which is refused on the way; nothing is found.
struct MountPlace {
  std::string point{};                // the path at which its mount begins
  std::vector<std::string> fuller{};  // of the directory, each with more above it
};

class MountTable {
 public:
  static Result<MountTable> read();

  [[nodiscard]] Result<MountPlace> place_of(const Dir& dir) const;

 private:
  struct Mount {
    std::string id{};
    std::string device{};
    std::string root{};   // which directory of the file system it shows
    std::string point{};  // where
  };

  static bool read_line(std::string_view line, Mount& mount);

  std::vector<Mount> mounts_;
};

}  // namespace holdfast::os
