// SPDX-License-Identifier: Apache-2.0
//
// Between the neutral types and those of Windows; for src/os/*/*_win.cc only.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "os/file/file.h"
#include "os/sys/handle.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

inline HANDLE handle_of(const Handle& handle) { return reinterpret_cast<HANDLE>(handle.get()); }

// Owns what CreateFileW gave; it says "nothing" with -1 itself.
inline Handle own(HANDLE handle) { return Handle(reinterpret_cast<NativeHandle>(handle)); }

inline Error win_error(std::string_view op, std::string_view subject, DWORD code,
                       std::string_view state = {}) {
  return os_error(op, subject, static_cast<int>(code), state);
}

constexpr std::uint64_t join_halves(DWORD high, DWORD low) {
  return (std::uint64_t{high} << 32U) | low;
}

// From 100 ns since 1601. Times before 1970, which no file of ours has, are told as 1970: the year
// 1601, with which some file systems say "unknown", does not fit into nanoseconds.
inline WallTime to_wall(FILETIME time) {
  constexpr std::uint64_t kUnixEpoch = 116'444'736'000'000'000U;
  const std::uint64_t ticks = join_halves(time.dwHighDateTime, time.dwLowDateTime);
  if (ticks < kUnixEpoch) return WallTime{};
  constexpr std::uint64_t kMostTicks =
      std::uint64_t{WallTime::max().time_since_epoch().count()} / 100;
  const std::uint64_t since = std::min(ticks - kUnixEpoch, kMostTicks);
  return WallTime(Duration(static_cast<std::int64_t>(since * 100)));
}

// Every reparse point counts as a link: whatever its tag, the name leads somewhere else.
inline FileType type_of_attributes(DWORD attributes) {
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) return FileType::kLink;
  if ((attributes & FILE_ATTRIBUTE_DEVICE) != 0) return FileType::kOther;
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return FileType::kDirectory;
  return FileType::kRegular;
}

inline FileInfo to_file_info(const BY_HANDLE_FILE_INFORMATION& info) {
  FileInfo out;
  out.type = type_of_attributes(info.dwFileAttributes);
  out.id = {.device = info.dwVolumeSerialNumber,
            .inode = join_halves(info.nFileIndexHigh, info.nFileIndexLow)};
  out.size = join_halves(info.nFileSizeHigh, info.nFileSizeLow);
  out.links = info.nNumberOfLinks;
  out.modified = to_wall(info.ftLastWriteTime);
  out.changed = out.modified;
  return out;
}

// The answer to what Windows has no notion of: kOsRefused `unsupported`.
inline Error not_offered(std::string_view op, std::string_view subject, std::string_view why) {
  return {.code = ErrorCode::kOsRefused,
          .op = std::string(op),
          .subject = std::string(subject),
          .cause = "unsupported",
          .detail = std::string(why)};
}

}  // namespace holdfast::os
