// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_table.h"

#include <algorithm>

#include "base/printable.h"
#include "cli/journal/journal_line.h"
#include "cli/output/wrap.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kTypeColumns = 22;   // most types are shorter
constexpr std::size_t kSecondsChars = 19;  // of an RFC 3339 time, without what stands behind

std::string compact(const Json& value) { return value.dump(); }

bool is_bare(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\r\n\"=") == text.npos;
}

Context::Paint journal_table_colour_of(EventClass event_class) {
  switch (event_class) {
    case EventClass::kTrace:
      return Context::Paint::kDim;
    case EventClass::kEvent:
      return Context::Paint::kBold;
    case EventClass::kDecision:
      return Context::Paint::kYellow;
  }
  __builtin_unreachable();
}

}  // namespace

std::string facts(std::string_view data) {
  const Json object = parse_json(data);
  if (!object.is_object()) return printable(data);
  std::string out;
  for (const auto& [key, value] : object.items()) {
    if (!out.empty()) out += ' ';
    out += key + "=";
    const auto* text = value.text();
    out += text != nullptr && is_bare(*text) ? *text : compact(value);
  }
  return printable(out);
}

std::string table_line(const Context& context, const RecordFields& record, std::string_view data) {
  const std::string time = format_rfc3339(wall_time_of(record)).substr(0, kSecondsChars) + "Z";
  const std::string type = padded(std::string(record.type), kTypeColumns);
  std::string rest = facts(data);
  const auto columns = context.columns();
  if (columns) {
    const std::size_t taken = time.size() + 2 + type.size() + (rest.empty() ? 0 : 2);
    const auto width = static_cast<std::size_t>(std::max(*columns, 1));
    if (taken >= width) {
      return cut_to(time + "  " + std::string(record.type), width) + "\n";
    }
    rest = cut_to(rest, width - taken);
  }
  std::string line = time + "  ";
  if (rest.empty())
    return line + context.paint(journal_table_colour_of(record.event_class), record.type) + "\n";
  return line + context.paint(journal_table_colour_of(record.event_class), type) + "  " + rest +
         "\n";
}

std::string count_table(const std::vector<CountRow>& rows) {
  std::vector<std::size_t> widths;
  std::size_t number = 0;
  for (const CountRow& row : rows) {
    widths.resize(std::max(widths.size(), row.key.size()));
    for (std::size_t i = 0; i < row.key.size(); ++i) {
      widths[i] = std::max(widths[i], columns_of(printable(row.key[i])));
    }
    number = std::max(number, std::to_string(row.count).size());
  }
  std::string out;
  for (const CountRow& row : rows) {
    for (std::size_t i = 0; i < row.key.size(); ++i) {
      out += padded(printable(row.key[i]), widths[i]) + "  ";
    }
    const std::string count = std::to_string(row.count);
    out += std::string(number - count.size(), ' ') + count + "\n";
  }
  return out;
}

}  // namespace holdfast::cli
