// SPDX-License-Identifier: Apache-2.0
#include "format/file/owner_text.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace holdfast {
namespace {

constexpr std::string_view kOwnerTextDigits = "0123456789";

std::optional<std::uint32_t> parse_id(std::string_view text) {
  if (text.empty() || text.find_first_not_of(kOwnerTextDigits) != std::string_view::npos) {
    return std::nullopt;
  }
  std::uint32_t id = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (fault != std::errc() || id == UINT32_MAX) return std::nullopt;
  return id;
}

}  // namespace

std::optional<std::uint32_t> parse_mode(std::string_view text) {
  if (text.size() != 3 && text.size() != 4) return std::nullopt;
  std::uint32_t mode = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') return std::nullopt;
    mode = mode * 8 + static_cast<std::uint32_t>(c - '0');
  }
  return mode;
}

std::string format_mode(std::uint32_t mode) {
  std::string text = "0000";
  for (std::size_t i = text.size(); i-- > 0; mode /= 8) text[i] = static_cast<char>('0' + mode % 8);
  return text;
}

std::optional<Ids> parse_ids(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto uid = parse_id(text.substr(0, colon));
  const auto gid = parse_id(text.substr(colon + 1));
  if (!uid || !gid) return std::nullopt;
  return Ids{*uid, *gid};
}

std::string format_ids(Ids ids) { return std::to_string(ids.uid) + ":" + std::to_string(ids.gid); }

std::optional<OwnerText> parse_owner(std::string_view text) {
  if (const auto ids = parse_ids(text)) return *ids;
  const bool is_name = !text.empty() && text.find_first_of(":/\n") == std::string_view::npos &&
                       text.find_first_not_of(kOwnerTextDigits) != std::string_view::npos;
  if (!is_name) return std::nullopt;
  return UserName{std::string(text)};
}

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
