// SPDX-License-Identifier: Apache-2.0
//
// What kind of file system a directory lies on, as far as it matters for locks and for durability.
//
// Network and user-space file systems may answer a lock with "yes" on two machines at once, or
// forget it when a server restarts. Their list is known; a type that is not in either list is
// kUnknown, which is not "local": the caller decides what to do about it and says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

}  // namespace holdfast::os
