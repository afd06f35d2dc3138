// SPDX-License-Identifier: Apache-2.0
//
// Two facts decide: what kind of drive it is, and whose file system. A user-space driver (WinFsp,
// Dokan) shows as a fixed drive with a name of its own, so only Windows' own names count as local.
#include "os/file/file_system.h"

#include <algorithm>
#include <array>

#include "os/path/path_win.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr const char* kFileSystemOp = "find the file system of";

FileSystemKind file_system_kind_of(UINT drive, std::string_view name) {
  if (drive == DRIVE_REMOTE) return FileSystemKind::kNetwork;
  if (drive == DRIVE_RAMDISK) return FileSystemKind::kMemory;
  constexpr std::array<std::string_view, 5> kOwn{"ntfs", "refs", "fat", "fat32", "exfat"};
  const bool local = drive == DRIVE_FIXED || drive == DRIVE_REMOVABLE;
  if (local && std::ranges::find(kOwn, name) != kOwn.end()) return FileSystemKind::kLocal;
  return FileSystemKind::kUnknown;
}

}  // namespace

Result<FileSystem> file_system_of(const Dir& dir) {
  const auto handle = reinterpret_cast<HANDLE>(dir.native());
  std::array<wchar_t, MAX_PATH + 1> type{};
  if (sys().GetVolumeInformationByHandleW(handle, nullptr, 0, nullptr, nullptr, nullptr,
                                          type.data(), static_cast<DWORD>(type.size())) == FALSE) {
    return fail(last_os_error(kFileSystemOp, dir.path()));
  }
  const std::wstring path = HF_TRY(extended_path(dir.path()));
  std::wstring root(path.size() + 2, L'\0');  // a prefix of the path, a separator, the end
  if (sys().GetVolumePathNameW(path.c_str(), root.data(), static_cast<DWORD>(root.size())) ==
      FALSE) {
    return fail(last_os_error(kFileSystemOp, dir.path()));
  }
  ULARGE_INTEGER free{};
  if (sys().GetDiskFreeSpaceExW(path.c_str(), &free, nullptr, nullptr) == FALSE) {
    return fail(last_os_error(kFileSystemOp, dir.path()));
  }
  FileSystem out;
  out.name = from_wide(type.data());
  for (char& c : out.name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  out.kind = file_system_kind_of(sys().GetDriveTypeW(root.c_str()), out.name);
  out.free_bytes = free.QuadPart;
  return out;
}

Result<MountTable> MountTable::read() { return MountTable(); }

Result<MountPlace> MountTable::place_of(const Dir&) const { return MountPlace{}; }

}  // namespace holdfast::os
