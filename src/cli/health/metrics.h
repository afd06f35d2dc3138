// SPDX-License-Identifier: Apache-2.0
//
// Metrics: what operators count, taken from the journal, and its two spellings.
//
// The text is Prometheus' exposition format 0.0.4: HELP and TYPE for each name, labels escaped,
// one sample per line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cli/frame/context.h"

namespace holdfast::cli {

struct Metrics {
  using Counts = std::map<std::string, std::uint64_t, std::less<>>;

  bool readable =
      true;            // all of the journal was read, and nothing in it is damaged and unexplained
  Counts events{};     // by type
  Counts fail_open{};  // by lock
  std::uint64_t head_seq = 0;
  std::uint64_t bytes = 0;
  std::uint64_t segments = 0;
  std::uint64_t dropped_trace = 0;
  std::uint64_t dropped_event = 0;

  [[nodiscard]] std::uint64_t count_of(std::string_view type) const {
    const auto found = events.find(type);
    return found == events.end() ? 0 : found->second;
  }
};

std::string metrics_text(const Metrics& metrics);
Json metrics_json(const Metrics& metrics);

// A label's value: backslash, quote and newline escaped.
std::string label_value(std::string_view text);

}  // namespace holdfast::cli
