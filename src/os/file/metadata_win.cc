// SPDX-License-Identifier: Apache-2.0
//
// What Windows keeps beside the bytes, as attributes with names of our own.
//
// A named stream (`file:name`) is opened by the real path of the open file; that it is a stream of
// this very file is checked on its handle, so a rename in between leads nowhere else. Wine has no
// streams: by reading only.
#include "os/file/metadata.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "os/file/entry_win.h"
#include "os/file/security_win.h"
#include "os/path/path_win.h"
#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

constexpr std::string_view kBits = "windows.attributes";
constexpr std::string_view kStream = "windows.stream.";
constexpr std::size_t kLongestStream = std::size_t{1} << 20U;
// Those that say something about a file. An encrypted one shows here although nobody can set that,
// so that its loss is seen.
constexpr DWORD kToldBits = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM |
                            FILE_ATTRIBUTE_NOT_CONTENT_INDEXED | FILE_ATTRIBUTE_ENCRYPTED;
constexpr DWORD kSettableBits = kToldBits & ~DWORD{FILE_ATTRIBUTE_ENCRYPTED};

HANDLE native_of(const File& file) { return reinterpret_cast<HANDLE>(file.native()); }

Result<BY_HANDLE_FILE_INFORMATION> facts_of(const File& file) {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(native_of(file), &info) != FALSE) return info;
  return fail(last_os_error("look at", file.path()));
}

Result<> set_bits(const File& file, DWORD bits) {
  const auto info = HF_TRY(facts_of(file));
  FILE_BASIC_INFO basic{};  // times of 0 stay as they are
  const DWORD wanted = (info.dwFileAttributes & ~kToldBits & ~DWORD{FILE_ATTRIBUTE_NORMAL}) | bits;
  basic.FileAttributes = wanted != 0 ? wanted : FILE_ATTRIBUTE_NORMAL;
  if (sys().SetFileInformationByHandle(native_of(file), FileBasicInfo, &basic, sizeof(basic)) !=
      FALSE) {
    return {};
  }
  return fail(last_os_error("set the attributes of", file.path()));
}

// Names without the colons.
Result<std::vector<std::wstring>> streams_of(const File& file) {
  std::vector<std::wstring> names;
  alignas(FILE_STREAM_INFO) std::array<std::byte, 65536> buffer;
  if (sys().GetFileInformationByHandleEx(native_of(file), FileStreamInfo, buffer.data(),
                                         static_cast<DWORD>(buffer.size())) == FALSE) {
    const DWORD code = last_error();
    if (code == ERROR_HANDLE_EOF || is_not_offered(code)) return names;
    return fail(win_error("list the streams of", file.path(), code));
  }
  for (std::size_t at = 0;;) {
    const auto* entry = reinterpret_cast<const FILE_STREAM_INFO*>(buffer.data() + at);
    std::wstring name(&entry->StreamName[0], entry->StreamNameLength / sizeof(wchar_t));
    if (name.starts_with(L':')) name.erase(0, 1);
    name.erase(std::min(name.find(L':'), name.size()));
    if (!name.empty()) names.push_back(std::move(name));
    if (entry->NextEntryOffset == 0) return names;
    at += entry->NextEntryOffset;
  }
}

Result<File> open_stream(const File& file, const std::wstring& name, DWORD rights, DWORD how) {
  Handle borrowed(file.native());
  const auto path = final_path(borrowed, file.path());
  static_cast<void>(borrowed.release());
  if (!path) return fail(path.error());
  const std::wstring wide = HF_TRY(extended_path(*path)) + L':' + name;
  Handle handle = own(
      sys().CreateFileW(wide.c_str(), rights, kDenyNobody, nullptr, how, kOpenLinkItself, nullptr));
  if (!handle.valid()) return fail(last_os_error("open a stream of", file.path()));
  File stream(std::move(handle), file.path());
  if (HF_TRY(stream.info()).id == HF_TRY(file.info()).id) return stream;
  return fail(win_error("open a stream of", file.path(), ERROR_SHARING_VIOLATION));
}

std::optional<std::wstring> stream_named_by(std::string_view attribute) {
  if (!attribute.starts_with(kStream)) return std::nullopt;
  auto name = to_wide(attribute.substr(kStream.size()));
  return name ? std::optional(*std::move(name)) : std::nullopt;
}

std::unexpected<Error> no_such_thing(std::string_view op, const std::string& path) {
  return fail({.code = ErrorCode::kRefused,
               .op = std::string(op),
               .subject = path,
               .cause = "unsupported",
               .detail = "Windows has no such thing; nothing was changed"});
}

}  // namespace

Result<std::vector<Attribute>> read_attributes(const File& file) {
  std::vector<Attribute> attributes;
  std::string list = HF_TRY(access_list_text(native_of(file), file.path()));
  attributes.push_back({.name = std::string(kWindowsAccessList), .value = std::move(list)});
  std::string owner = HF_TRY(owner_text(native_of(file), file.path()));
  attributes.push_back({.name = std::string(kWindowsOwner), .value = std::move(owner)});
  const auto info = HF_TRY(facts_of(file));
  const DWORD bits = info.dwFileAttributes & kToldBits;
  if (bits != 0) attributes.push_back({.name = std::string(kBits), .value = std::to_string(bits)});
  for (const std::wstring& name : HF_TRY(streams_of(file))) {
    File stream = HF_TRY(open_stream(file, name, kReadRights, OPEN_EXISTING));
    std::string bytes = HF_TRY(stream.read_all(kLongestStream));
    attributes.push_back(
        {.name = std::string(kStream) + from_wide(name), .value = std::move(bytes)});
  }
  std::ranges::sort(attributes);
  return attributes;
}

Result<> set_attribute(const File& file, const Attribute& attribute) {
  if (attribute.name == kWindowsAccessList) {
    return set_access_list(native_of(file), attribute.value, file.path());
  }
  if (attribute.name == kWindowsOwner) {
    return set_owner_text(native_of(file), attribute.value, file.path());
  }
  if (attribute.name == kBits) {
    DWORD bits = 0;
    const char* const end = attribute.value.data() + attribute.value.size();
    const auto read = std::from_chars(attribute.value.data(), end, bits);
    if (read.ec != std::errc{} || read.ptr != end) {
      return fail(win_error("set the attributes of", file.path(), ERROR_INVALID_PARAMETER));
    }
    return set_bits(file, bits & kSettableBits);
  }
  const auto name = stream_named_by(attribute.name);
  if (!name) return no_such_thing("set the attribute " + attribute.name + " of", file.path());
  File stream = HF_TRY(open_stream(file, *name, kReadRights | kWriteRights, OPEN_ALWAYS));
  HF_TRY(stream.truncate(0));
  HF_TRY(stream.write_all(attribute.value));
  return stream.close();
}

Result<> remove_attribute(const File& file, const std::string& attribute) {
  if (attribute == kBits) return set_bits(file, 0);
  const auto name = stream_named_by(attribute);
  if (!name) return no_such_thing("remove the attribute " + attribute + " of", file.path());
  const File stream = HF_TRY(open_stream(file, *name, DELETE, OPEN_EXISTING));
  if (mark_for_removal(native_of(stream))) return {};
  return fail(last_os_error("remove a stream of", file.path()));
}

Result<> set_owner(const File& file, std::uint32_t, std::uint32_t) {
  return no_such_thing("set the owner by number of", file.path());
}

std::uint32_t own_uid() { return 0; }

bool has_owner_and_mode() { return false; }

Result<bool> is_own(const File& file, const FileInfo&) {
  return HF_TRY(file.exposure()).owner == Exposure::Owner::kSelf;
}

Result<bool> is_own(const Dir& dir, const SafeName& name, const FileInfo& info) {
  const std::string path = dir.path_of(name);
  const Opened opened =
      HF_TRY(open_itself(path, READ_CONTROL | FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody));
  if (!opened.handle.valid()) return fail(win_error("look at", path, opened.code));
  if (HF_TRY(look_at_entry(opened, path)).info.id != info.id) {
    return fail(win_error("look at", path, ERROR_SHARING_VIOLATION, "it was just replaced"));
  }
  return HF_TRY(exposure_of(handle_of(opened.handle), path)).owner == Exposure::Owner::kSelf;
}

namespace {

std::uint32_t mode_shown(const Exposure& exposure, FileType type, std::uint32_t wanted) {
  constexpr std::uint32_t kForOthers = 077;
  if ((wanted & kForOthers) != 0 || exposure.others == Exposure::Others::kNothing) return wanted;
  const bool is_directory = type == FileType::kDirectory;
  if (exposure.others == Exposure::Others::kWrite) return is_directory ? 0777 : 0666;
  return is_directory ? 0755 : 0644;
}

}  // namespace

Result<std::uint32_t> shown_mode(const File& file, const FileInfo& info, std::uint32_t wanted) {
  return mode_shown(HF_TRY(file.exposure()), info.type, wanted);
}

Result<std::uint32_t> shown_mode(const Dir& dir, const FileInfo& info, std::uint32_t wanted) {
  return mode_shown(HF_TRY(dir.exposure()), info.type, wanted);
}

Result<std::uint32_t> shown_mode(const Dir& dir, const SafeName& name, const FileInfo& info,
                                 std::uint32_t wanted) {
  if (info.type == FileType::kLink) return wanted;
  const std::string path = dir.path_of(name);
  const Opened opened =
      HF_TRY(open_itself(path, READ_CONTROL | FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody));
  if (!opened.handle.valid()) return fail(win_error("look at", path, opened.code));
  return mode_shown(HF_TRY(exposure_of(handle_of(opened.handle), path)), info.type, wanted);
}

Fixity fixity(const Dir& dir, const SafeName& name) {
  const auto path = extended_path(dir.path_of(name));
  if (!path) return {};
  const DWORD bits = sys().GetFileAttributesW(path->c_str());
  if (bits == kNoAttributes || (bits & FILE_ATTRIBUTE_DIRECTORY) != 0) return {};
  return {.immutable = (bits & FILE_ATTRIBUTE_READONLY) != 0, .how = "its read-only bit is set"};
}

Fixity fixity(const Dir&) { return {}; }

bool open_files_hold_names() { return true; }

std::uint32_t file_mode_mask() { return 0; }

}  // namespace holdfast::os
