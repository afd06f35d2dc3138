// SPDX-License-Identifier: Apache-2.0
//
// The one printer of tables: rows under a heading, one line each.
//
// On a terminal from 40 columns on no line is wider than it, and none is wrapped: columns that a
// person misses least are left out, then texts are cut with `…`. Elsewhere nothing is left out or
// cut, so that a program finds every field in its place.
//
// Guarantee: a painted cell is as wide as it would be unpainted. Limit: columns are counted as
// wrap.h does. The caller makes the texts safe for a terminal (base/printable.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/frame/context.h"

namespace holdfast::cli {

struct TableColumn {
  std::string_view title;
  unsigned drop = 0;      // 0: always shown; of the others the highest is left out first
  std::size_t least = 0;  // a longer text may be cut to so many columns; 0: never
};

struct TableCell {
  // NOLINTNEXTLINE(google-explicit-constructor)
  TableCell(std::string words, std::optional<Context::Paint> as = std::nullopt)
      : text(std::move(words)), paint(as) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  TableCell(const char* words) : text(words) {}

  std::string text;
  std::optional<Context::Paint> paint;
};

// As many cells as there are columns.
using TableRow = std::vector<TableCell>;

std::string table_text(const Context& context, std::span<const TableColumn> columns,
                       const std::vector<TableRow>& rows);

// How long ago: `3 min ago` on a terminal, `3m20s` elsewhere. A time to come is `now`.
std::string ago_text(const Context& context, WallTime time, WallTime now);

}  // namespace holdfast::cli
