// SPDX-License-Identifier: Apache-2.0
//
// The layout is REPARSE_DATA_BUFFER, which only the driver kit declares: a tag, the length of what
// follows, and then, for links and for mount points, offsets and lengths of two names in one
// buffer. A symbolic link has a word of flags before the buffer. Nothing in it is believed before
// it is seen to lie inside of what the system gave.
#include "os/file/reparse_win.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kGetReparsePoint = 0x000900A8U;  // FSCTL_GET_REPARSE_POINT
constexpr DWORD kMountPointTag = 0xA0000003U;    // IO_REPARSE_TAG_MOUNT_POINT
constexpr DWORD kLinkTag = 0xA000000CU;          // IO_REPARSE_TAG_SYMLINK
constexpr std::size_t kMostBytes = 16384;        // MAXIMUM_REPARSE_DATA_BUFFER_SIZE
constexpr std::uint32_t kRelative = 1;           // SYMLINK_FLAG_RELATIVE
constexpr std::size_t kNames = 8;                // where the offsets are

template <typename T>
T field(std::span<const std::byte> bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

std::unexpected<Error> does_not_fit(const std::string& path) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "read the link",
               .subject = path,
               .cause = "bad-reparse-point",
               .detail = "what is written in it does not fit into it"});
}

}  // namespace

Result<std::optional<ReparseTarget>> parse_reparse(std::span<const std::byte> bytes,
                                                   const std::string& path) {
  if (bytes.size() < kNames) return does_not_fit(path);
  const auto tag = field<std::uint32_t>(bytes, 0);
  if (tag != kMountPointTag && tag != kLinkTag) return std::nullopt;
  const bool is_link = tag == kLinkTag;
  const std::size_t buffer = kNames + (is_link ? 12 : 8);
  if (bytes.size() < buffer) return does_not_fit(path);
  const std::size_t offset = field<std::uint16_t>(bytes, kNames);
  const std::size_t length = field<std::uint16_t>(bytes, kNames + 2);
  const std::size_t start = buffer + offset;
  if (start + length > bytes.size() || length % sizeof(wchar_t) != 0) return does_not_fit(path);
  std::wstring name(length / sizeof(wchar_t), L'\0');
  std::memcpy(name.data(), bytes.data() + start, length);
  ReparseTarget target;
  target.volume = !is_link && name.starts_with(LR"(\??\Volume{)");
  if (name.starts_with(LR"(\??\)")) name.erase(0, 4);
  target.text = from_wide(name);
  std::ranges::replace(target.text, '\\', '/');
  if (target.text.starts_with("UNC/")) target.text.replace(0, 4, "//");
  const bool relative = is_link && (field<std::uint32_t>(bytes, kNames + 8) & kRelative) != 0 &&
                        target.text.find(':') == std::string::npos;
  const bool has_drive = target.text.size() > 2 && target.text.substr(1, 2) == ":/";
  if (!relative && !has_drive && !target.text.starts_with('/')) target.text.insert(0, 1, '/');
  return target;
}

Result<std::optional<ReparseTarget>> read_reparse(const Handle& handle, const std::string& path) {
  std::array<std::byte, kMostBytes> bytes{};
  DWORD got = 0;
  if (sys().DeviceIoControl(handle_of(handle), kGetReparsePoint, nullptr, 0, bytes.data(),
                            static_cast<DWORD>(bytes.size()), &got, nullptr) == FALSE) {
    if (last_error() == ERROR_NOT_A_REPARSE_POINT || last_error() == ERROR_INVALID_FUNCTION) {
      return std::nullopt;
    }
    return fail(last_os_error("read the link", path));
  }
  return parse_reparse(std::span(bytes).first(std::min<std::size_t>(got, bytes.size())), path);
}

}  // namespace holdfast::os
