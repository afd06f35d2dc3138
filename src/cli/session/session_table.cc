// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_table.h"

#include <algorithm>

#include "base/printable.h"
#include "base/units.h"
#include "cli/output/table.h"
#include "cli/output/wrap.h"
#include "format/session/outcome.h"
#include "format/text/rfc3339.h"
#include "os/signal/signals.h"
#include "run/lock/lock_text.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

using session::SessionView;
using session::Tree;

std::string seconds(Duration duration) {
  return format_duration(std::chrono::floor<std::chrono::seconds>(duration));
}
std::string session_table_ago(const std::optional<WallTime>& time, WallTime now) {
  if (!time) return "-";
  return seconds(std::max(now - *time, Duration::zero()));
}
std::string ago_or_none(const Context& context, const std::optional<WallTime>& time, WallTime now) {
  return time ? ago_text(context, *time, now) : "-";
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

std::string waits_text(const SessionWaits& waits) {
  std::string text = "for lock " + waits.lock;
  if (waits.holder) text += ", held by " + run::holder_text(*waits.holder);
  return printable(text);
}

// What a person would ask for next; the exit code is said with the state.
std::string session_why(const SessionFacts& facts) {
  if (facts.waits) return waits_text(*facts.waits);
  const SessionRecord& record = facts.view.record;
  const bool says_nothing = record.reason == reason::kExited || record.reason == reason::kSignal;
  return record.reason.empty() || says_nothing ? "-" : printable(record.reason);
}

struct SessionTableShape {
  bool ended = false;  // somebody has
  bool why = false;    // somebody has a reason
};

TableRow session_table_cells_of(const Context& context, const SessionRow& row, WallTime now,
                                SessionTableShape shape) {
  const auto* unread = std::get_if<UnreadSession>(&row);
  TableRow cells;
  if (unread != nullptr) {
    cells = {printable(unread->name), {"unreadable", Context::Paint::kRed}, "-", "-", "-", "-"};
  } else {
    const auto& facts = std::get<SessionFacts>(row);
    cells = {printable(facts.view.record.name),
             {facts.waits ? std::string(kWaitingState) : outcome(facts.view),
              facts.waits ? Context::Paint::kYellow : paint_of(facts.view)},
             facts.pid ? std::to_string(*facts.pid) : "-",
             facts.elapsed ? seconds(*facts.elapsed) : "-",
             left(facts.deadline_left),
             ago_or_none(context, facts.last_output, now)};
  }
  const auto* facts = std::get_if<SessionFacts>(&row);
  if (shape.ended) {
    const bool over = facts != nullptr && is_final(facts->view.state);
    cells.push_back(over ? ago_or_none(context, facts->view.record.ended, now) : "-");
  }
  if (shape.why) cells.push_back(facts != nullptr ? session_why(*facts) : "-");
  cells.push_back(facts != nullptr ? command_text(facts->view.record) : to_sentence(unread->why));
  return cells;
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
  SessionTableShape shape;
  for (const SessionRow& row : rows) {
    const auto* facts = std::get_if<SessionFacts>(&row);
    if (facts == nullptr) continue;
    shape.ended = shape.ended || is_final(facts->view.state);
    shape.why = shape.why || facts->waits || is_final(facts->view.state);
  }
  std::vector<TableColumn> columns{{"NAME", 0, 8}, {"STATE"},   {"PID", 2},
                                   {"ELAPSED", 4}, {"LEFT", 6}, {"OUTPUT", 5}};
  if (shape.ended) columns.push_back({"ENDED", 1});
  if (shape.why) columns.push_back({"REASON", 3, 8});
  columns.push_back({"COMMAND", 0, 8});
  std::vector<TableRow> cells;
  for (const SessionRow& row : rows)
    cells.push_back(session_table_cells_of(context, row, now, shape));
  return table_text(context, columns, cells);
}

std::string history_table(const Context& context, const std::vector<RunRow>& rows, WallTime now) {
  const std::vector<TableColumn> columns{{"RUN"},     {"STATE"},   {"STARTED", 2},
                                         {"TOOK", 1}, {"CODE", 3}, {"REASON", 0, 8}};
  std::vector<TableRow> all;
  for (const RunRow& row : rows) {
    TableRow cells{std::to_string(row.number)};
    if (const auto* unread = std::get_if<UnreadSession>(&row.row)) {
      cells.insert(cells.end(),
                   {{"unreadable", Context::Paint::kRed}, "-", "-", "-", to_sentence(unread->why)});
    } else {
      const auto& facts = std::get<SessionFacts>(row.row);
      const auto ended = outcome_of(facts.view.state, facts.view.record);
      const auto& started = facts.view.record.started;
      const std::string ago = ago_or_none(context, started, now);
      cells.insert(cells.end(), {{session::state_word(facts.view), paint_of(facts.view)},
                                 started && !context.columns() ? ago + " ago" : ago,
                                 facts.elapsed ? format_duration(*facts.elapsed) : "-",
                                 ended ? std::to_string(ended->code) : "-",
                                 session_why(facts)});
    }
    all.push_back(std::move(cells));
  }
  return table_text(context, columns, all);
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
  text += padded("state", 13) +
          context.paint(paint_of(view), facts.waits ? std::string(kWaitingState) : outcome(view)) +
          " (" + printable(view.evidence) + ")\n";
  if (view.state == SessionState::kOrphaned) line("tree", tree_text(view));
  if (facts.waits) line("waits", waits_text(*facts.waits));
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
