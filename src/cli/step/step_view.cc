// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_view.h"

#include <algorithm>

#include "base/duration.h"
#include "base/printable.h"
#include "cli/output/json_values.h"
#include "cli/output/wrap.h"
#include "format/json/json.h"
#include "format/json/json_bytes.h"
#include "format/text/rfc3339.h"
#include "loop/notice/notice.h"

namespace holdfast::cli {
namespace {

using loop::IntentFate;

constexpr std::size_t kStepViewColumns = 6;
using StepViewCells = std::array<std::string, kStepViewColumns>;

bool is_waiting(const StepFacts& facts) {
  const StepRecord& record = facts.look.record;
  const auto& next = record.next;
  const bool over =
      record.step == StepKind::kAttempt && record.max && record.failures >= *record.max;
  return !over && next && left_of(*next, facts.now) > Duration::zero();
}

std::uint64_t held_back(const StepRecord& record) {
  std::uint64_t all = record.kept.repeats;
  for (const SentNotice& sent : record.sent) all += sent.held_back;
  return all;
}

Json end_json(const StepEnd& end) {
  return {{"run", to_hex(end.run)},
          {"began", format_rfc3339(end.began)},
          {"ended", time_or_null(end.ended)},
          {"state", to_text(end.state)},
          {"exit_code", or_null(end.exit_code)},
          {"signal", or_null(end.signal)},
          {"repeated", end.repeats},
          {"asked", end.asked}};
}

Json claimed_json(const StepFacts& facts) {
  const auto& pending = facts.look.record.pending;
  if (!pending) return nullptr;
  return {{"pid", facts.look.by.pid},
          {"since", format_rfc3339(pending->since.wall)},
          {"run", to_hex(pending->run)},
          {"evidence", facts.look.evidence}};
}

std::string outcome_text(const StepEnd& end) {
  std::string text(to_text(end.state));
  if (end.exit_code) text += " " + std::to_string(*end.exit_code);
  if (end.signal) text += " by signal " + std::to_string(*end.signal);
  if (end.asked) text += ", as it was asked to";
  return end.repeats ? text + " (repeated)" : text;
}

std::string step_view_next_text(const StepFacts& facts) {
  if (!is_waiting(facts)) return "-";
  const Duration left = left_of(*facts.look.record.next, facts.now);
  return "in " + format_duration(std::chrono::ceil<std::chrono::seconds>(left));
}

StepViewCells step_view_cells_of(const StepRow& row) {
  if (const auto* unread = std::get_if<UnreadStep>(&row)) {
    return {printable(unread->key), "unreadable", "-", "-", "-", to_sentence(unread->why)};
  }
  const auto& facts = std::get<StepFacts>(row);
  const StepRecord& record = facts.look.record;
  return {printable(record.key),
          std::string(state_of(facts)),
          std::to_string(record.runs),
          std::to_string(record.failures),
          step_view_next_text(facts),
          record.history.empty() ? "-" : outcome_text(record.history.back())};
}

std::string_view state_of_notify(const StepFacts& facts) {
  const StepRecord& record = facts.look.record;
  if (!record.kept.texts.empty()) return is_waiting(facts) ? "waiting" : "free";
  if (record.sent.empty()) return "free";
  return record.sent.back().unsure ? "unsure" : "sent";
}

}  // namespace

std::string_view state_of(const StepFacts& facts) {
  const StepRecord& record = facts.look.record;
  switch (facts.look.fate) {
    case IntentFate::kLive:
      return "claimed";
    case IntentFate::kOrphanLives:
    case IntentFate::kOrphanUnproven:
      return "orphaned";
    case IntentFate::kUnknown:
      return "unknown";
    default:
      break;
  }
  if (record.step == StepKind::kNotify) return state_of_notify(facts);
  if (record.done) return "done";
  if (record.max && record.failures >= *record.max) return "exhausted";
  if (is_waiting(facts)) return "waiting";
  return record.unsure ? "unsure" : "free";
}

Json step_json(const StepFacts& facts) {
  const StepRecord& record = facts.look.record;
  Json history = Json::array();
  for (const StepEnd& end : record.history) history.push_back(end_json(end));
  const std::string kept = loop::joined(record.kept);
  std::optional<WallTime> done;
  if (record.done) done = record.done->at.wall;
  std::optional<WallTime> next;
  if (is_waiting(facts)) next = wall_of(*record.next, facts.now);
  return {{"key", bytes_to_json(record.key)},
          {"step", to_text(record.step)},
          {"state", state_of(facts)},
          {"session", bytes_to_json(step_session(record.step, record.key))},
          {"created", format_rfc3339(record.created)},
          {"done", time_or_null(done)},
          {"next", time_or_null(next)},
          {"runs", record.runs},
          {"lost", record.lost},
          {"attempts", record.failures},
          {"max", or_null(record.max)},
          {"claimed", claimed_json(facts)},
          {"held_back", held_back(record)},
          {"kept", kept.empty() ? Json(nullptr) : bytes_to_json(kept)},
          {"history", std::move(history)}};
}

Json step_row_json(const StepRow& row) {
  if (const auto* facts = std::get_if<StepFacts>(&row)) return step_json(*facts);
  const auto& unread = std::get<UnreadStep>(row);
  return {{"key", bytes_to_json(unread.key)},
          {"state", nullptr},
          {"error",
           {{"op", unread.why.op},
            {"subject", printable(unread.why.subject)},
            {"cause", unread.why.cause},
            {"detail", unread.why.detail}}}};
}

std::string step_text(const StepFacts& facts) {
  const StepRecord& record = facts.look.record;
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    constexpr std::size_t kWidth = 13;
    text += padded(std::string(key), kWidth) + printable(value) + "\n";
  };
  line(to_text(record.step), record.key);
  line("state", std::string(state_of(facts)));
  if (record.pending) {
    line("claimed", "by process " + std::to_string(facts.look.by.pid) + " since " +
                        format_rfc3339(record.pending->since.wall) + " (" + facts.look.evidence +
                        ")");
  }
  if (record.done) line("done", format_rfc3339(record.done->at.wall));
  if (is_waiting(facts)) {
    line("next", format_rfc3339(wall_of(*record.next, facts.now)) + " (" +
                     step_view_next_text(facts) + ")");
  }
  line("runs", std::to_string(record.runs) +
                   (record.lost == 0 ? "" : ", " + std::to_string(record.lost) + " lost"));
  if (record.failures != 0 || record.max) {
    line("failed", std::to_string(record.failures) +
                       (record.max ? " of " + std::to_string(*record.max) : ""));
  }
  if (const auto count = held_back(record)) line("held back", std::to_string(count));
  if (const std::size_t kept = loop::joined(record.kept).size(); kept != 0) {
    line("kept", std::to_string(kept) + " bytes that were not sent");
  }
  for (const StepEnd& end : record.history) {
    line("run", format_rfc3339(end.began) + "  " + outcome_text(end));
  }
  return text;
}

std::string step_table(const std::vector<StepRow>& rows) {
  std::vector<StepViewCells> table{{"KEY", "STATE", "RUNS", "FAILED", "NEXT", "LAST"}};
  for (const StepRow& row : rows) table.push_back(step_view_cells_of(row));
  std::array<std::size_t, kStepViewColumns> widths{};
  for (const StepViewCells& cells : table) {
    for (std::size_t i = 0; i < kStepViewColumns; ++i) {
      widths[i] = std::max(widths[i], columns_of(cells[i]));
    }
  }
  std::string text;
  for (const StepViewCells& cells : table) {
    for (std::size_t i = 0; i + 1 < kStepViewColumns; ++i) text += padded(cells[i], widths[i] + 2);
    text += cells.back() + "\n";
  }
  return text;
}

}  // namespace holdfast::cli
