// SPDX-License-Identifier: Apache-2.0
#include "cli/output/table.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/units.h"
#include "cli/output/wrap.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kBetween = 2;

struct LaidOut {
  std::size_t at = 0;       // which column of the caller's
  std::size_t natural = 0;  // as wide as its longest text
  std::size_t width = 0;
};

std::size_t smallest(const TableColumn& column, std::size_t natural) {
  if (column.least == 0) return natural;
  return std::min(natural, std::max(column.least, columns_of(column.title)));
}

std::size_t whole_width(const std::vector<LaidOut>& shown) {
  std::size_t sum = 0;
  for (const LaidOut& one : shown) sum += one.width + kBetween;
  return sum - std::min(sum, kBetween);
}

// The next one to leave out; where none may be, the last one, as long as there is another.
std::vector<LaidOut>::iterator least_missed(std::vector<LaidOut>& shown,
                                            std::span<const TableColumn> columns) {
  const auto most =
      std::ranges::max_element(shown, {}, [&](const LaidOut& one) { return columns[one.at].drop; });
  return columns[most->at].drop == 0 ? shown.end() - 1 : most;
}

// What is left of the line goes to those that were cut: first up to a third of it for each, so that
// one long name does not push all else away.
void widen(std::vector<LaidOut>& shown, std::size_t terminal) {
  std::size_t room = terminal - std::min(terminal, whole_width(shown));
  for (const std::size_t most : {terminal / 3, terminal}) {
    for (LaidOut& one : shown) {
      const std::size_t wanted = std::min(one.natural, most);
      const std::size_t more = std::min(wanted - std::min(wanted, one.width), room);
      one.width += more;
      room -= more;
    }
  }
}

void fit_to(std::size_t terminal, std::span<const TableColumn> columns,
            std::vector<LaidOut>& shown) {
  for (LaidOut& one : shown) one.width = smallest(columns[one.at], one.natural);
  while (shown.size() > 1 && whole_width(shown) > terminal)
    shown.erase(least_missed(shown, columns));
  if (whole_width(shown) > terminal) shown.front().width = terminal;
  widen(shown, terminal);
}

std::string line_of(const Context& context, const TableRow& row,
                    const std::vector<LaidOut>& shown) {
  std::string line;
  for (const LaidOut& one : shown) {
    const TableCell& cell = row[one.at];
    const std::string text = cut_to(cell.text, one.width);
    const std::size_t used = columns_of(text);
    line += cell.paint ? context.paint(*cell.paint, text) : text;
    if (&one != &shown.back()) line.append(one.width - used + kBetween, ' ');
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string table_text(const Context& context, std::span<const TableColumn> columns,
                       const std::vector<TableRow>& rows) {
  std::vector<LaidOut> shown;
  TableRow heading;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    heading.emplace_back(std::string(columns[i].title), Context::Paint::kBold);
    LaidOut one{.at = i, .natural = columns_of(columns[i].title)};
    for (const TableRow& row : rows) one.natural = std::max(one.natural, columns_of(row[i].text));
    one.width = one.natural;
    shown.push_back(one);
  }
  if (const auto terminal = context.columns()) {
    fit_to(static_cast<std::size_t>(std::max(*terminal, 1)), columns, shown);
  }
  std::string text = line_of(context, heading, shown);
  for (const TableRow& row : rows) text += line_of(context, row, shown);
  return text;
}

std::string ago_text(const Context& context, WallTime time, WallTime now) {
  const Duration passed = std::max(now - time, Duration::zero());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(passed);
  if (!context.columns()) return format_duration(seconds);
  struct Unit {
    std::int64_t seconds;
    std::string_view name;
  };
  constexpr std::array kUnits{Unit{86400, "d"}, Unit{3600, "h"}, Unit{60, "min"}, Unit{1, "s"}};
  for (const Unit& unit : kUnits) {
    if (seconds.count() < unit.seconds) continue;
    return std::to_string(seconds.count() / unit.seconds) + " " + std::string(unit.name) + " ago";
  }
  return "now";
}

}  // namespace holdfast::cli
