// SPDX-License-Identifier: Apache-2.0
#include "format/text/lexical_path.h"

#include <algorithm>

#include "base/path_text.h"

namespace holdfast {
namespace {

// Appends the components of `path` to `place`, whose first `root` characters stay.
void walk(std::string& place, std::size_t root, std::string_view path) {
  while (!path.empty()) {
    const auto* const end = std::find_if(path.begin(), path.end(), is_separator);
    const auto length = static_cast<std::size_t>(end - path.begin());
    const std::string_view component = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      const std::size_t slash = place.rfind('/');
      place.erase(slash == std::string::npos ? root : std::max(slash, root));
    } else {
      if (place.size() > root) place += '/';
      place += component;
    }
  }
}

std::string root_of(std::string_view path) {
  std::string root(path.substr(0, root_length(path)));
  std::ranges::replace_if(root, is_separator, '/');
  if (!root.ends_with('/')) root += '/';
  return root;
}

}  // namespace

std::string lexical_path(std::string_view base, std::string_view path) {
  const bool is_rooted = is_rooted_path(path);
  std::string place = root_of(is_absolute_path(path) ? path : base);
  const std::size_t root = place.size();
  if (!is_rooted) walk(place, root, base.substr(root_length(base)));
  walk(place, root, path.substr(root_length(path)));
  return place;
}

std::string_view lexical_parent(std::string_view path) {
  const std::string_view parent = parent_path(path);
  return parent.empty() ? "/" : parent;
}

}  // namespace holdfast
