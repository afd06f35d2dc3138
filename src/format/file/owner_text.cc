// SPDX-License-Identifier: Apache-2.0
#include "format/file/owner_text.h"

#include <charconv>

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

}  // namespace holdfast
