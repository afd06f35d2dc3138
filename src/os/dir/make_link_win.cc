// SPDX-License-Identifier: Apache-2.0
//
// Windows has two kinds of symbolic links, and the maker must know whether the target is a
// directory: so, unlike on Linux, it is looked at; what is not there (yet) is taken for a file.
// Making one needs developer mode or a privilege: `eperm` without.
//
// Wine 8 answers yes and makes nothing. What is not there afterwards was not made: `unsupported`.
#include "os/dir/make_link.h"

#include <algorithm>

#include "os/file/entry_win.h"
#include "os/path/path_win.h"
#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kUnprivileged = 2;  // SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE

bool leads_to_directory(const Dir& dir, const std::string& target) {
  const bool absolute = target.starts_with('/') || target.find(':') != std::string::npos;
  const auto full = absolute_path(absolute ? target : dir.path() + "/" + target);
  const auto wide = full ? extended_path(*full) : fail(full.error());
  if (!wide) return false;
  const DWORD attributes = sys().GetFileAttributesW(wide->c_str());
  return attributes != kNoAttributes && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

}  // namespace

Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target) {
  HF_TRY(check_path_text(target));
  const std::string path = dir.path_of(name);
  const std::wstring wide = HF_TRY(extended_path(path));
  std::wstring text = HF_TRY(to_wide(target));
  std::ranges::replace(text, L'/', L'\\');
  if (sys().GetFileAttributesW(wide.c_str()) != kNoAttributes) return Placed::kNameTaken;
  const DWORD kind =
      leads_to_directory(dir, target) ? DWORD{SYMBOLIC_LINK_FLAG_DIRECTORY} : DWORD{0};
  if (sys().CreateSymbolicLinkW(wide.c_str(), text.c_str(), kind | kUnprivileged) == 0) {
    if (is_taken(last_error())) return Placed::kNameTaken;
    return fail(last_os_error("make the link", path, "nothing was created"));
  }
  if (sys().GetFileAttributesW(wide.c_str()) != kNoAttributes) return Placed::kPlaced;
  return fail({.code = ErrorCode::kRefused,
               .op = "make the link",
               .subject = path,
               .cause = "unsupported",
               .detail = "the system said that it was made, and it is not there"});
}

}  // namespace holdfast::os
