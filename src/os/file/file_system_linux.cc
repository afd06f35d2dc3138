// SPDX-License-Identifier: Apache-2.0
#include "os/file/file_system.h"

#include <linux/magic.h>

#include <algorithm>
#include <array>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

struct Known {
  std::uint32_t magic;
  const char* name;
  FileSystemKind kind;
};

// statfs(2) gives a number; those without a macro in <linux/magic.h> are from the kernel's sources.
constexpr std::array kKnown{
    Known{EXT4_SUPER_MAGIC, "ext4", FileSystemKind::kLocal},  // ext2 and ext3 too
    Known{XFS_SUPER_MAGIC, "xfs", FileSystemKind::kLocal},
    Known{BTRFS_SUPER_MAGIC, "btrfs", FileSystemKind::kLocal},
    Known{F2FS_SUPER_MAGIC, "f2fs", FileSystemKind::kLocal},
    Known{0x2fc12fc1, "zfs", FileSystemKind::kLocal},
    Known{0xca451a4e, "bcachefs", FileSystemKind::kLocal},
    Known{MSDOS_SUPER_MAGIC, "vfat", FileSystemKind::kLocal},
    Known{OVERLAYFS_SUPER_MAGIC, "overlay", FileSystemKind::kLocal},
    Known{TMPFS_MAGIC, "tmpfs", FileSystemKind::kMemory},
    Known{RAMFS_MAGIC, "ramfs", FileSystemKind::kMemory},
    Known{NFS_SUPER_MAGIC, "nfs", FileSystemKind::kNetwork},
    Known{SMB_SUPER_MAGIC, "smb", FileSystemKind::kNetwork},
    Known{CIFS_SUPER_MAGIC, "cifs", FileSystemKind::kNetwork},
    Known{SMB2_SUPER_MAGIC, "smb2", FileSystemKind::kNetwork},
    Known{V9FS_MAGIC, "9p", FileSystemKind::kNetwork},
    Known{CEPH_SUPER_MAGIC, "ceph", FileSystemKind::kNetwork},
    Known{AFS_SUPER_MAGIC, "afs", FileSystemKind::kNetwork},
    Known{FUSE_SUPER_MAGIC, "fuse", FileSystemKind::kUserSpace},  // virtiofs shows as this too
};

std::string file_system_hex(std::uint32_t value) {
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 0xfU];
  return text;
}

}  // namespace

Result<FileSystem> file_system_of(const Dir& dir) {
  struct statfs info{};
  if (retry_eintr([&] { return sys().fstatfs(static_cast<int>(dir.native()), &info); }) != 0) {
    return fail(last_os_error("find the file system of", dir.path()));
  }
  const auto magic = static_cast<std::uint32_t>(info.f_type);
  FileSystem out{
      .name = file_system_hex(magic), .kind = FileSystemKind::kUnknown, .free_bytes = std::nullopt};
  // Blocks are counted in fragments, which need not be as large as the preferred transfer size.
  const auto unit = static_cast<std::uint64_t>(info.f_frsize > 0 ? info.f_frsize : info.f_bsize);
  if (info.f_blocks > 0) out.free_bytes = info.f_bavail * unit;
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const Known& row) { return row.magic == magic; });
  if (known != kKnown.end()) {
    out.name = known->name;
    out.kind = known->kind;
  }
  return out;
}

}  // namespace holdfast::os
