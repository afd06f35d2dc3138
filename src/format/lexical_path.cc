// SPDX-License-Identifier: Apache-2.0
#include "format/lexical_path.h"

#include <algorithm>

namespace holdfast {
namespace {

void walk(std::string& place, std::string_view path) {
  while (!path.empty()) {
    const std::size_t length = std::min(path.find('/'), path.size());
    const std::string_view component = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      place.erase(std::min(place.rfind('/'), place.size()));
    } else {
      place += '/';
      place += component;
    }
  }
}

}  // namespace

std::string lexical_path(std::string_view base, std::string_view path) {
  std::string place;
  if (!path.starts_with('/')) walk(place, base);
  walk(place, path);
  return place.empty() ? "/" : place;
}

std::string_view lexical_parent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : path.substr(0, slash);
}

}  // namespace holdfast
