// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/path_text.h"

namespace holdfast {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// `\\server\share\`, as far as it is there; 0 for anything else.
std::size_t share_length(std::string_view path) {
  if (path.size() < 3 || !is_separator(path[0]) || !is_separator(path[1]) ||
      is_separator(path[2])) {
    return 0;
  }
  const auto next = [&](std::size_t from) {
    const auto found =
        std::find_if(path.begin() + static_cast<std::ptrdiff_t>(from), path.end(), is_separator);
    return static_cast<std::size_t>(found - path.begin());
  };
  const std::size_t share = next(2);
  if (share + 1 >= path.size()) return path.size();
  return std::min(next(share + 1) + 1, path.size());
}

}  // namespace

bool is_separator(char c) { return c == '/' || c == '\\'; }

char path_separator() { return '\\'; }

std::size_t root_length(std::string_view path) {
  if (path.size() >= 3 && is_letter(path[0]) && path[1] == ':' && is_separator(path[2])) return 3;
  if (const std::size_t share = share_length(path); share > 0) return share;
  return !path.empty() && is_separator(path.front()) ? 1 : 0;
}

bool is_absolute_path(std::string_view path) { return root_length(path) > 1; }

bool is_rooted_path(std::string_view path) { return root_length(path) > 0; }

// /d: no AutoRun of the user's registry; /s: exactly the outer quotes go.
std::vector<std::string> shell_words(std::string_view line) {
  return {"cmd.exe", "/d", "/s", "/c", std::string(line)};
}

std::vector<std::string> shell_words(std::string_view line, std::string_view /*name*/,
                                     std::string_view /*argument*/) {
  return shell_words(line);
}

}  // namespace holdfast
