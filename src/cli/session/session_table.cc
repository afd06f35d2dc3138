// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_table.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "base/units.h"
#include "cli/output/wrap.h"
#include "format/text/rfc3339.h"
#include "os/signal/signals.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

using session::SessionView;
using session::Tree;

constexpr std::size_t kSessionTableColumns = 7;
using SessionTableCells = std::array<std::string, kSessionTableColumns>;

constexpr int kNarrow = 70;  // below it, the columns that a person misses least are left out
constexpr std::array kLeftOut{std::size_t{4}, std::size_t{5}};

std::string seconds(Duration duration) {
  return format_duration(std::chrono::floor<std::chrono::seconds>(duration));
}
std::string session_table_ago(const std::optional<WallTime>& time, WallTime now) {
  if (!time) return "-";
  return seconds(std::max(now - *time, Duration::zero()));
}
std::string left(const std::optional<Duration>& duration) {
  if (!duration) return "-";
  return *duration > Duration::zero() ? seconds(*duration) : "past";
}

std::string outcome(const SessionView& view) {
  const SessionRecord& record = view.record;
  if (view.state == SessionState::kExited && record.exit_code) {
    return session::state_word(view) + "(" + std::to_string(*record.exit_code) + ")";
  }
  if (view.state == SessionState::kKilled && record.signal) {
    return session::state_word(view) + "(" + os::signal_name(*record.signal) + ")";
  }
  return session::state_word(view);
}

SessionTableCells session_table_cells_of(const SessionRow& row, WallTime now) {
  if (const auto* unread = std::get_if<UnreadSession>(&row)) {
    return {printable(unread->name), "unreadable", "-", "-", "-", "-", to_sentence(unread->why)};
  }
  const auto& facts = std::get<SessionFacts>(row);
  return {printable(facts.view.record.name),
          outcome(facts.view),
          facts.pid ? std::to_string(*facts.pid) : "-",
          facts.elapsed ? seconds(*facts.elapsed) : "-",
          left(facts.deadline_left),
          session_table_ago(facts.last_output, now),
          command_text(facts.view.record)};
}

std::string tree_text(const SessionView& view) {
  switch (view.tree) {
    case Tree::kEmpty:
      return "proven empty";
    case Tree::kLives:
      return "something of it lives";
    case Tree::kUnproven:
      break;
  }
  return "nobody of it is seen, which proves nothing";
}

std::string process_text(const std::optional<std::int32_t>& pid, bool there) {
  if (pid) return "pid " + std::to_string(*pid);
  return there ? "in another pid namespace" : "none";
}

}  // namespace

std::string session_table(const Context& context, const std::vector<SessionRow>& rows,
                          WallTime now) {
  std::vector<SessionTableCells> table{
      {"NAME", "STATE", "PID", "ELAPSED", "LEFT", "OUTPUT", "COMMAND"}};
  for (const SessionRow& row : rows) table.push_back(session_table_cells_of(row, now));
  const auto columns = context.columns();
  std::array<std::size_t, kSessionTableColumns> widths{};
  for (const SessionTableCells& cells : table) {
    for (std::size_t i = 0; i + 1 < kSessionTableColumns; ++i) {
      widths[i] = std::max(widths[i], columns_of(cells[i]) + 2);
    }
  }
  if (columns && *columns < kNarrow) {
    for (const std::size_t i : kLeftOut) widths[i] = 0;
  }
  // A long name must not push the state off a narrow terminal.
  if (columns)
    widths[0] = std::min(widths[0], static_cast<std::size_t>(std::max(*columns, 12)) / 3);
  std::string text;
  for (const SessionTableCells& cells : table) {
    std::string line = padded(cut_to(cells[0], widths[0] - 2), widths[0]);
    for (std::size_t i = 1; i < kSessionTableColumns; ++i) {
      if (widths[i] != 0 || i + 1 == kSessionTableColumns) line += padded(cells[i], widths[i]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    if (columns) line = cut_to(line, static_cast<std::size_t>(std::max(*columns, 1)));
    text += line + "\n";
  }
  return text;
}

std::string session_text(const Context& context, const SessionFacts& facts, WallTime now) {
  const SessionView& view = facts.view;
  const SessionRecord& record = view.record;
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    text += padded(std::string(key), 13) + printable(value) + "\n";
  };
  const auto moment = [&](std::string_view key, const std::optional<WallTime>& time) {
    if (time) line(key, format_rfc3339(*time) + ", " + session_table_ago(time, now) + " ago");
  };
  line("session", record.name);
  text += padded("state", 13) + context.paint(paint_of(view), outcome(view)) + " (" +
          printable(view.evidence) + ")\n";
  if (view.state == SessionState::kOrphaned) line("tree", tree_text(view));
  if (!record.reason.empty()) line("reason", record.reason);
  if (!record.detail.empty()) line("detail", record.detail);
  if (record.asked) line("asked to end", "by " + record.asked->by);
  if (record.verified) line("verified", *record.verified ? "yes" : "no");
  line("command", command_text(record));
  line("directory", record.order.directory);
  line("process", process_text(facts.pid, record.command.has_value()));
  line("supervisor", process_text(facts.supervisor, true) + (record.adopted ? ", adopted" : ""));
  if (!record.host.empty()) line("host", record.host);
  line("run", "number " + std::to_string(record.number) + ", " + to_hex(record.run));
  moment("started", record.started);
  moment("ended", record.ended);
  if (facts.elapsed) line("elapsed", format_duration(*facts.elapsed));
  if (record.order.timeout) {
    const std::string rest =
        facts.deadline_left ? ", " + left(facts.deadline_left) + " left" : std::string();
    line("deadline", format_duration(*record.order.timeout) + rest);
  }
  if (record.order.idle_timeout) line("idle limit", format_duration(*record.order.idle_timeout));
  moment("last output", facts.last_output);
  if (facts.log) line("log", *facts.log);
  if (record.log_lost != 0) line("log lost", std::to_string(record.log_lost) + " bytes");
  if (!record.containment.empty()) line("containment", record.containment);
  for (const std::string& limit : record.limits_by) line("limit", limit);
  for (const std::string& lock : record.order.locks) line("lock", lock);
  for (const std::string& survivor : record.survivors) line("survivor", survivor);
  return text;
}

}  // namespace holdfast::cli
