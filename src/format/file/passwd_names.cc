// SPDX-License-Identifier: Apache-2.0
#include "format/file/passwd_names.h"

#include <algorithm>
#include <string>

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

bool is_private_group(std::string_view passwd, std::string_view group, std::uint32_t uid,
                      std::uint32_t gid) {
  const std::string uid_text = std::to_string(uid);
  const std::string gid_text = std::to_string(gid);
  std::string_view user;
  while (!passwd.empty()) {
    std::string_view line = take(passwd, '\n');
    if (line.starts_with('+')) return false;
    const std::string_view name = take(line, ':');
    take(line, ':');
    const bool same_user = take(line, ':') == uid_text;
    if (take(line, ':') != gid_text) continue;
    if (!same_user) return false;
    if (user.empty()) user = name;
  }
  bool found = false;
  while (!group.empty()) {
    std::string_view line = take(group, '\n');
    if (line.starts_with('+')) return false;
    const std::string_view name = take(line, ':');
    take(line, ':');
    if (take(line, ':') != gid_text) continue;
    if (user.empty() || name != user || (!line.empty() && line != user)) return false;
    found = true;
  }
  return found;
}

}  // namespace holdfast
