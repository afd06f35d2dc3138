// SPDX-License-Identifier: Apache-2.0
//
// Journals for people: one line per record, and aligned tables of counts.
//
//   2026-11-15T07:46:00Z  lock.fail_open        lock=deploy reason=timeout waited_ms=1500
//
// On a terminal a line is cut to its width, with `…` at the end; elsewhere it is whole. Text from
// records is made safe for a terminal (base/printable.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/context.h"
#include "format/journal/journal_record.h"

namespace holdfast::cli {

// `key=value` for each key of the JSON object `data`: texts bare, or in quotes where blanks would
// tear them apart; nested values as JSON. What is no object is shown as it is.
std::string facts(std::string_view data);

// With its newline.
std::string table_line(const Context& context, const RecordFields& record, std::string_view data);

struct CountRow {
  std::vector<std::string> key;
  std::uint64_t count = 0;
};
// The keys in columns, then the counts, right-aligned.
std::string count_table(const std::vector<CountRow>& rows);

}  // namespace holdfast::cli
