// SPDX-License-Identifier: Apache-2.0
#include "base/path_text.h"

namespace holdfast {
namespace {

std::size_t last_separator(std::string_view path) {
  std::size_t at = path.size();
  while (at > 0 && !is_separator(path[at - 1])) --at;
  return at;  // just behind it; 0: there is none
}

}  // namespace

bool is_root_path(std::string_view path) {
  return !path.empty() && root_length(path) == path.size();
}

std::string_view last_component(std::string_view path) {
  const std::size_t root = root_length(path);
  const std::size_t behind = last_separator(path);
  return path.substr(behind < root ? root : behind);
}

std::string_view parent_path(std::string_view path) {
  const std::size_t root = root_length(path);
  const std::size_t behind = last_separator(path);
  if (behind <= root) return path.substr(0, root);
  return path.substr(0, behind - 1);
}

std::string join_path(std::string_view directory, std::string_view name) {
  std::string path(directory);
  const std::size_t behind = last_separator(directory);
  if (!path.empty() && behind != path.size()) {
    path += behind == 0 ? path_separator() : path[behind - 1];
  }
  path += name;
  return path;
}

std::string_view without_trailing_separators(std::string_view path) {
  const std::size_t root = root_length(path);
  while (path.size() > root && is_separator(path.back())) path.remove_suffix(1);
  return path;
}

bool is_at_or_below(std::string_view path, std::string_view above) {
  if (!path.starts_with(above)) return false;
  if (path.size() == above.size()) return true;
  return (!above.empty() && is_separator(above.back())) || is_separator(path[above.size()]);
}

}  // namespace holdfast
