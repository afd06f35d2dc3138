// SPDX-License-Identifier: Apache-2.0
#include "format/passwd_names.h"

#include <algorithm>

namespace holdfast {
namespace {

// Cuts the text up to the next `end` off, and that byte with it.
std::string_view take(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view field = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return field;
}

}  // namespace

std::optional<Ids> find_user(std::string_view passwd, std::string_view name) {
  while (!passwd.empty()) {
    std::string_view line = take(passwd, '\n');
    if (take(line, ':') != name || name.empty()) continue;
    take(line, ':');
    const std::string_view uid = take(line, ':');
    const std::string_view gid = take(line, ':');
    if (const auto ids = parse_ids(std::string(uid) + ":" + std::string(gid))) return ids;
  }
  return std::nullopt;
}

}  // namespace holdfast
