// SPDX-License-Identifier: Apache-2.0
#include "os/path/path_win.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/path_text.h"
#include "os/file/entry_win.h"
#include "os/path/path.h"
#include "os/path/safe_name.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr std::wstring_view kPathPrefix = LR"(\\?\)";
constexpr std::wstring_view kUncPrefix = LR"(\\?\UNC\)";
constexpr std::string_view kUnc = R"(\\)";

Error path_unsafe(std::string_view path, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "use the path",
          .subject = std::string(path),
          .cause = "unsafe-name",
          .detail = std::string(detail)};
}

// Where the components start: behind `C:\` or `\\server\share\`; npos for anything else, which is a
// device.
std::size_t root_length(std::string_view path) {
  if (path.size() >= 3 && path[1] == ':' && path[2] == '\\') return 3;
  if (!path.starts_with(kUnc) || path.starts_with(R"(\\.\)") || path.starts_with(R"(\\?\)")) {
    return std::string_view::npos;
  }
  const std::size_t share = path.find('\\', 2);
  if (share == std::string_view::npos) return std::string_view::npos;
  return std::min(path.find('\\', share + 1), path.size() - 1) + 1;
}

Result<std::wstring> full_wide_path(const std::wstring& given, std::string_view path) {
  std::wstring full(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length = sys().GetFullPathNameW(given.c_str(), static_cast<DWORD>(full.size()),
                                                full.data(), nullptr);
    if (length == 0) return fail(win_error("make absolute", path, last_error()));
    const bool fits = length < full.size();
    full.resize(length);
    if (fits) return full;
  }
}

constexpr int kStoredNameTries = 8;

}  // namespace

Result<std::string> absolute_path(std::string_view path) {
  if (path.empty()) return fail(win_error("use the path", path, ERROR_PATH_NOT_FOUND));
  HF_TRY(check_path_text(path));
  std::wstring full = HF_TRY(to_wide(path));
  // Who writes the prefix wants the name as it is, so it is not tidied but checked as it is.
  if (!std::wstring_view(full).starts_with(kPathPrefix)) full = HF_TRY(full_wide_path(full, path));
  std::string absolute = plain_path(full);
  const std::size_t root = root_length(absolute);
  if (root == std::string::npos) return fail(path_unsafe(path, "it names a device"));
  while (absolute.size() > root && absolute.back() == '\\') absolute.pop_back();
  for (std::size_t start = root; start < absolute.size();) {
    const std::size_t end = std::min(absolute.find('\\', start), absolute.size());
    const std::string_view fault =
        platform_name_fault(std::string_view(absolute).substr(start, end - start));
    if (!fault.empty()) return fail(path_unsafe(path, fault));
    start = end + 1;
  }
  return absolute;
}

Result<std::wstring> extended_path(std::string_view absolute) {
  const bool is_unc = absolute.starts_with(kUnc);
  if (is_unc) absolute.remove_prefix(kUnc.size());
  std::wstring extended(is_unc ? kUncPrefix : kPathPrefix);
  extended += HF_TRY(to_wide(absolute));
  return extended;
}

std::string plain_path(std::wstring_view extended) {
  if (extended.starts_with(kUncPrefix)) {
    return std::string(kUnc) + from_wide(extended.substr(kUncPrefix.size()));
  }
  if (extended.starts_with(kPathPrefix)) extended.remove_prefix(kPathPrefix.size());
  return from_wide(extended);
}

bool same_path(std::string_view one, std::string_view other) {
  if (one == other) return true;
  const auto a = to_wide(one);
  const auto b = to_wide(other);
  return a && b &&
         sys().CompareStringOrdinal(a->data(), static_cast<int>(a->size()), b->data(),
                                    static_cast<int>(b->size()), TRUE) == CSTR_EQUAL;
}

std::string long_path(const std::string& absolute) {
  const auto wide = extended_path(absolute);
  if (!wide) return absolute;
  std::wstring full(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length =
        sys().GetLongPathNameW(wide->c_str(), full.data(), static_cast<DWORD>(full.size()));
    if (length == 0) return absolute;
    const bool fits = length < full.size();
    full.resize(length);
    if (fits) return plain_path(full);
  }
}

Result<std::string> final_path(const Handle& handle, std::string_view path) {
  std::wstring full(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length = sys().GetFinalPathNameByHandleW(
        handle_of(handle), full.data(), static_cast<DWORD>(full.size()), FILE_NAME_NORMALIZED);
    if (length == 0) return fail(last_os_error("find the full path of", path));
    const bool fits = length < full.size();
    full.resize(length);
    if (fits) return plain_path(full);
  }
}

Result<std::string> working_dir() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length = sys().GetCurrentDirectoryW(static_cast<DWORD>(path.size()), path.data());
    if (length == 0) return fail(last_os_error("find", "the working directory"));
    const bool fits = length < path.size();
    path.resize(length);
    if (fits) return plain_path(path);
  }
}

Result<std::string> absolute_from_here(const std::string& path) { return absolute_path(path); }

Result<std::string> real_path_of(const Dir& dir) {
  // Borrowed for the one call: the Dir goes on owning it.
  Handle borrowed(dir.native());
  auto path = final_path(borrowed, dir.path());
  static_cast<void>(borrowed.release());
  return path;
}

// The hostile moment: between the open and the question for its name the file is renamed, because
// an editor keeps it as `data.bak`, or somebody replaces it. The answer is then the name of another
// file, or none. So it counts only where it is a spelling of what was asked for.
Result<SafeName> canonical_name(const Dir& dir, SafeName name) {
  const std::string path = dir.path_of(name);
  std::optional<Error> trouble;
  for (int tries = 0; tries < kStoredNameTries; ++tries) {
    const Opened opened =
        HF_TRY(open_itself(path, FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody));
    if (!opened.handle.valid()) {
      if (opened.code == ERROR_FILE_NOT_FOUND) return name;
      return fail(explain_open(opened, path));
    }
    if (HF_TRY(look_at_entry(opened, path)).info.type == FileType::kLink) return name;
    const auto real = final_path(opened.handle, path);
    if (!real) {
      trouble = real.error();
      continue;
    }
    trouble.reset();
    const std::string_view its = last_component(*real);
    if (same_path(its, name.str()) || same_path(its, last_component(long_path(path))))
      return SafeName::make(its);
  }
  if (trouble) return fail(*std::move(trouble));
  return name;
}

Result<File> reopen_for_reading(const File& file) {
  Handle handle = own(sys().ReOpenFile(reinterpret_cast<HANDLE>(file.native()), kReadRights,
                                       kDenyNobody, FILE_FLAG_BACKUP_SEMANTICS));
  if (!handle.valid()) return fail(last_os_error("open once more", file.path()));
  File again(std::move(handle), file.path());
  const FileInfo expected = HF_TRY(file.info());
  const FileInfo found = HF_TRY(again.info());
  if (found.id == expected.id) return again;
  return fail(win_error("open once more", file.path(), ERROR_INVALID_HANDLE));
}

std::string open_path_of(const File& file) { return file.path(); }

}  // namespace holdfast::os
