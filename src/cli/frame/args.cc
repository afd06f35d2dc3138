// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"

#include <charconv>
#include <cstdlib>

#include "base/units.h"

namespace holdfast::cli {

const std::vector<std::string>& Args::values_of(std::string_view option) const {
  const auto found = options_.find(option);
  if (found == options_.end()) std::abort();  // the command asked for what it does not declare
  return found->second;
}

bool Args::flag(std::string_view option) const { return !values_of(option).empty(); }

std::optional<std::string> Args::text(std::string_view option) const {
  const auto& values = values_of(option);
  if (values.empty()) return std::nullopt;
  return values.back();
}

std::vector<std::string> Args::texts(std::string_view option) const { return values_of(option); }

std::optional<Duration> Args::duration(std::string_view option) const {
  const auto typed = text(option);
  if (!typed) return std::nullopt;
  const auto parsed = parse_duration(*typed);
  if (!parsed) std::abort();  // the parser checked it
  return *parsed;
}

std::optional<std::uint64_t> Args::size(std::string_view option) const {
  const auto typed = text(option);
  if (!typed) return std::nullopt;
  const auto parsed = parse_size(*typed);
  if (!parsed) std::abort();
  return *parsed;
}

std::optional<std::uint64_t> Args::integer(std::string_view option) const {
  const auto typed = text(option);
  if (!typed) return std::nullopt;
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(typed->data(), typed->data() + typed->size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != typed->data() + typed->size()) std::abort();
  return value;
}

}  // namespace holdfast::cli
