// SPDX-License-Identifier: Apache-2.0
#include "os/file/file_system.h"

#include <linux/magic.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "os/path/path.h"
#include "os/process/proc_fs.h"
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

constexpr std::size_t kMaxTable = std::size_t{16} << 20U;

// `\040` is a blank; so are tab, newline and the backslash itself.
std::string unescaped(std::string_view text) {
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size() && octal(text[at + 1]) && octal(text[at + 2]) &&
        octal(text[at + 3])) {
      plain += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 +
                                 (text[at + 3] - '0'));
      at += 3;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

// What is left of `path` below `above`, with its slash; nullopt: it is not below.
std::optional<std::string> below(const std::string& path, const std::string& above) {
  if (above == "/") return path == "/" ? "" : path;
  if (path == above) return "";
  if (!path.starts_with(above + "/")) return std::nullopt;
  return path.substr(above.size());
}

std::string joined(const std::string& above, const std::string& rest) {
  if (rest.empty()) return above;
  return above == "/" ? rest : above + rest;
}

std::unexpected<Error> no_table(const std::string& subject) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find the mounts of",
               .subject = subject,
               .cause = "no-mount-table",
               .detail = "/proc does not tell"});
}

// "mnt_id:\t36" of the descriptor.
Result<std::string> mount_id_of(const Dir& dir) {
  const std::string name = "fdinfo/" + std::to_string(dir.native());
  const auto text = HF_TRY(read_own_proc_file(name.c_str()));
  if (!text) return no_table(dir.path());
  constexpr std::string_view kKey = "mnt_id:\t";
  const std::size_t at = text->find(kKey);
  if (at == text->npos) return no_table(dir.path());
  const std::size_t start = at + kKey.size();
  return text->substr(start, text->find('\n', start) - start);
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

// A line of mountinfo: `36 35 98:0 /sub /mnt rw,noatime … - ext4 /dev/root rw`.
bool MountTable::read_line(std::string_view line, Mount& mount) {
  std::array<std::string_view, 5> words;
  for (std::string_view& word : words) {
    const std::size_t end = line.find(' ');
    if (end == line.npos) return false;
    word = line.substr(0, end);
    line.remove_prefix(end + 1);
  }
  mount = {.id = std::string(words[0]),
           .device = std::string(words[2]),
           .root = unescaped(words[3]),
           .point = unescaped(words[4])};
  return true;
}

Result<MountTable> MountTable::read() {
  const auto text = HF_TRY(read_whole_proc_file(own_pid(), "mountinfo", kMaxTable));
  if (!text) return no_table("this process");
  MountTable table;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    Mount mount;
    if (read_line(rest.substr(0, end), mount)) table.mounts_.push_back(std::move(mount));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return table;
}

Result<MountPlace> MountTable::place_of(const Dir& dir) const {
  const std::string id = HF_TRY(mount_id_of(dir));
  const auto own = std::ranges::find(mounts_, id, &Mount::id);
  if (own == mounts_.end()) return no_table(dir.path());
  MountPlace place{.point = own->point};
  if (own->root == "/") return place;

  const auto rest = below(HF_TRY(real_path_of(dir)), own->point);
  if (!rest) return no_table(dir.path());
  const std::string within = joined(own->root, *rest);
  const FileId wanted = HF_TRY(dir.info()).id;
  for (const Mount& mount : mounts_) {
    if (mount.device != own->device || mount.root.size() >= own->root.size()) continue;
    const auto part = below(within, mount.root);
    if (!part) continue;
    std::string path = joined(mount.point, *part);
    const auto other = Dir::open(path);
    // What is closed to us is there all the same: its path says what is above it.
    if (!other && other.error().code == ErrorCode::kOsRefused) {
      place.fuller.push_back(std::move(path));
      continue;
    }
    // Something else is mounted over it.
    if (!other && other.error().code == ErrorCode::kNotFound) continue;
    if (!other) return fail(other.error());
    if (HF_TRY(other->info()).id == wanted) place.fuller.push_back(std::move(path));
  }
  return place;
}

}  // namespace holdfast::os
