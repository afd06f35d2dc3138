// SPDX-License-Identifier: Apache-2.0
#include "os/file/entry_win.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/cause.h"
#include "os/machine/random.h"
#include "os/path/path_win.h"
#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

constexpr std::uint64_t kPatienceMs = 2000;
constexpr std::uint32_t kLongestPauseMs = 50;

// FILE_RENAME_INFO of mingw-w64 10 has no flags; they lie where ReplaceIfExists does.
constexpr auto kRenameEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
constexpr DWORD kReplaceAtOnce = 0x1 | 0x2;  // FILE_RENAME_FLAG_REPLACE_IF_EXISTS|_POSIX_SEMANTICS

// A name that is not there is no link. One that cannot be looked at may be: that is an error.
Result<bool> is_link_by_path(const std::wstring& wide, std::string_view path) {
  const DWORD attributes = sys().GetFileAttributesW(wide.c_str());
  if (attributes != kNoAttributes) return type_of_attributes(attributes) == FileType::kLink;
  const DWORD code = last_error();
  if (code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND) return false;
  return fail(win_error("look at", path, code));
}

// The same for an open thing. Its handle has told already, but for Wine: there the look by path is
// the one that counts, and must not fail.
Result<bool> is_hidden_by_path(const Opened& opened, const std::string& path) {
  auto by_path = is_link_by_path(opened.wide, path);
  return by_path || under_wine() ? std::move(by_path) : Result<bool>(false);
}

bool rename_by(HANDLE handle, FILE_INFO_BY_HANDLE_CLASS kind, const std::wstring& name,
               DWORD flags) {
  const std::size_t bytes = name.size() * sizeof(wchar_t);
  std::vector<std::byte> buffer(sizeof(FILE_RENAME_INFO) + bytes);  // zeroed: never replace
  auto* rename = reinterpret_cast<FILE_RENAME_INFO*>(buffer.data());
  std::memcpy(buffer.data(), &flags, sizeof(flags));
  rename->FileNameLength = static_cast<DWORD>(bytes);
  std::memcpy(&rename->FileName[0], name.data(), bytes);
  return sys().SetFileInformationByHandle(handle, kind, buffer.data(),
                                          static_cast<DWORD>(buffer.size())) != FALSE;
}

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

Error is_link_error(std::string_view path) {
  return {.code = ErrorCode::kRefused,
          .op = "open",
          .subject = std::string(path),
          .cause = cause::kIsLink,
          .detail = "it is a symbolic link, a junction or a mount point"};
}

Result<Opened> open_itself(const std::string& path, DWORD rights, DWORD share, DWORD more_flags) {
  Opened opened;
  opened.wide = HF_TRY(extended_path(path));
  opened.handle = own(sys().CreateFileW(opened.wide.c_str(), rights, share, nullptr, OPEN_EXISTING,
                                        kOpenLinkItself | more_flags, nullptr));
  if (!opened.handle.valid()) opened.code = last_error();
  return opened;
}

Result<Looked> look_at_entry(const Opened& opened, const std::string& path) {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(handle_of(opened.handle), &info) == FALSE) {
    return fail(last_os_error("look at", path));
  }
  Looked looked{.info = to_file_info(info), .attributes = info.dwFileAttributes};
  if (looked.info.type == FileType::kLink) return looked;
  if (HF_TRY(is_hidden_by_path(opened, path)) || HF_TRY(leads_elsewhere(opened.handle, path))) {
    looked.info = FileInfo{};
    looked.info.type = FileType::kLink;
    looked.hidden_link = true;
  }
  return looked;
}

Error explain_open(const Opened& opened, const std::string& path) {
  const auto by_path = is_link_by_path(opened.wide, path);
  if (by_path && *by_path) return is_link_error(path);
  return win_error("open", path, opened.code);
}

// Compared with the real path of the directory that the name is in: what lies above may be reached
// through links, which is not the question here.
Result<bool> leads_elsewhere(const Handle& handle, const std::string& path) {
  if (!under_wine() || path.size() > kLongestJudged) return false;
  const std::size_t cut = path.rfind('\\');
  if (cut == std::string::npos || cut + 1 == path.size()) return false;  // the root of a drive
  const std::wstring above =
      HF_TRY(extended_path(path[cut - 1] == ':' ? path.substr(0, cut + 1) : path.substr(0, cut)));
  const Handle parent =
      own(sys().CreateFileW(above.c_str(), FILE_READ_ATTRIBUTES, kDenyNobody, nullptr,
                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!parent.valid()) return fail(last_os_error("look at", path));
  std::string expected = HF_TRY(final_path(parent, path));
  if (!expected.ends_with('\\')) expected += '\\';
  expected += path.substr(cut + 1);
  return !same_path(HF_TRY(final_path(handle, path)), expected);
}

Result<std::string> first_link_on(const std::string& path, std::string_view below) {
  std::size_t at = below.empty() ? path.find('\\') : below.size();
  if (path.starts_with(R"(\\)")) at = std::max(at, path.find('\\', path.find('\\', 2) + 1));
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('\\', at + 1), path.size());
    const std::string so_far = path.substr(0, end);
    const std::wstring wide = HF_TRY(extended_path(so_far));
    if (HF_TRY(is_link_by_path(wide, so_far))) return so_far;
    at = end;
  }
  return std::string();
}

Result<> refuse_links(const Handle& handle, const std::string& path, std::string_view below) {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(handle_of(handle), &info) == FALSE) {
    return fail(last_os_error("look at", path));
  }
  if (type_of_attributes(info.dwFileAttributes) == FileType::kLink) {
    return fail(is_link_error(path));
  }
  const std::string link = HF_TRY(first_link_on(path, below));
  if (!link.empty()) return fail(is_link_error(link));
  if (HF_TRY(leads_elsewhere(handle, path))) return fail(is_link_error(path));
  return {};
}

bool mark_for_removal(HANDLE handle) {
  DWORD at_once = kRemoveAtOnce;
  if (sys().SetFileInformationByHandle(handle, kDispositionEx, &at_once, sizeof(at_once)) !=
      FALSE) {
    return true;
  }
  if (!is_not_offered(last_error())) return false;
  FILE_DISPOSITION_INFO on_close{.DeleteFile = TRUE};
  return sys().SetFileInformationByHandle(handle, FileDispositionInfo, &on_close,
                                          sizeof(on_close)) != FALSE;
}

bool give_name(HANDLE handle, const std::wstring& name, IfTaken if_taken) {
  if (if_taken == IfTaken::kFail) return rename_by(handle, FileRenameInfo, name, 0);
  if (rename_by(handle, kRenameEx, name, kReplaceAtOnce)) return true;
  if (!is_not_offered(last_error())) return false;
  return rename_by(handle, FileRenameInfo, name, TRUE);
}

bool is_taken(DWORD code) { return code == ERROR_FILE_EXISTS || code == ERROR_ALREADY_EXISTS; }

// ERROR_ACCESS_DENIED is what replacing an open file gives, and removing one that is on its way
// out; it is also what missing rights give, which then takes the two seconds to say so.
bool is_passing(DWORD code) {
  return code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION ||
         code == ERROR_ACCESS_DENIED || code == ERROR_USER_MAPPED_FILE;
}

bool is_not_offered(DWORD code) {
  return code == ERROR_INVALID_PARAMETER || code == ERROR_INVALID_FUNCTION ||
         code == ERROR_NOT_SUPPORTED || code == ERROR_CALL_NOT_IMPLEMENTED ||
         code == ERROR_INVALID_LEVEL;
}

Patience::Patience() : ends_(sys().GetTickCount64() + kPatienceMs) {}

bool Patience::wait() {
  if (sys().GetTickCount64() >= ends_) return false;
  // Two who retry in step would meet again and again.
  const auto dice = random_id();
  const std::uint32_t jitter = dice ? static_cast<std::uint32_t>(dice->bytes.front()) : 0;
  sys().Sleep(next_ms_ + jitter % (next_ms_ + 1));
  next_ms_ = std::min(next_ms_ * 2, kLongestPauseMs);
  return true;
}

// The layout is REPARSE_DATA_BUFFER, which only the driver kit declares: a tag, the length of what
// follows, and then, for links and for mount points, offsets and lengths of two names in one
// buffer. A symbolic link has a word of flags before the buffer. Nothing in it is believed before
// it is seen to lie inside of what the system gave.
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
