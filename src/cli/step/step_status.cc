// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_status.h"

#include <algorithm>

#include "base/printable.h"
#include "base/units.h"
#include "cli/frame/command_line.h"
#include "cli/output/table.h"
#include "cli/output/wrap.h"
#include "cli/step/step_command.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/text/rfc3339.h"
#include "loop/notice/notice.h"

namespace holdfast::cli {
namespace {

using loop::IntentFate;

constexpr std::array kStepColumns{TableColumn{"KIND", 2},   TableColumn{"KEY", 0, 8},
                                  TableColumn{"STATE"},     TableColumn{"RUNS", 3},
                                  TableColumn{"FAILED", 4}, TableColumn{"NEXT", 1},
                                  TableColumn{"LAST", 0, 8}};

Context::Paint paint_of_step(std::string_view state) {
  if (state == "done" || state == "free") return Context::Paint::kDim;
  if (state == "claimed") return Context::Paint::kGreen;
  return state == "exhausted" || state == "unknown" ? Context::Paint::kRed
                                                    : Context::Paint::kYellow;
}

bool is_waiting(const StepFacts& facts) {
  const StepRecord& record = facts.status.record;
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
  const auto& pending = facts.status.record.pending;
  if (!pending) return nullptr;
  return {{"pid", facts.status.by.pid},
          {"since", format_rfc3339(pending->since.wall)},
          {"run", to_hex(pending->run)},
          {"evidence", facts.status.evidence}};
}

std::string outcome_text(const StepEnd& end) {
  std::string text(to_text(end.state));
  if (end.exit_code) text += " " + std::to_string(*end.exit_code);
  if (end.signal) text += " by signal " + std::to_string(*end.signal);
  if (end.asked) text += ", as it was asked to";
  return end.repeats ? text + " (repeated)" : text;
}

std::string step_next_text(const StepFacts& facts) {
  if (!is_waiting(facts)) return "-";
  const Duration left = left_of(*facts.status.record.next, facts.now);
  return "in " + format_duration(std::chrono::ceil<std::chrono::seconds>(left));
}

TableRow step_cells(const StepRow& row) {
  if (const auto* unread = std::get_if<UnreadStep>(&row)) {
    return {std::string(to_text(unread->name.kind)),
            printable(unread->name.key),
            {"unreadable", Context::Paint::kRed},
            "-",
            "-",
            "-",
            to_sentence(unread->why)};
  }
  const auto& facts = std::get<StepFacts>(row);
  const StepRecord& record = facts.status.record;
  return {std::string(to_text(record.step)),
          printable(record.key),
          {std::string(state_of(facts)), paint_of_step(state_of(facts))},
          std::to_string(record.runs),
          std::to_string(record.failures),
          step_next_text(facts),
          record.history.empty() ? "-" : outcome_text(record.history.back())};
}

std::string_view state_of_notify(const StepFacts& facts) {
  const StepRecord& record = facts.status.record;
  if (!record.kept.texts.empty()) return is_waiting(facts) ? "waiting" : "free";
  if (record.sent.empty()) return "free";
  return record.sent.back().unsure ? "unsure" : "sent";
}

std::unexpected<Error> no_such_step(const std::string& subject) {
  return fail({.code = ErrorCode::kNotFound,
               .op = "find",
               .subject = "'" + subject + "'",
               .cause = "no-such-step",
               .detail = "nothing is known of it; `holdfast step list` shows what is"});
}

Error ambiguous_key(const std::string& key, const std::vector<FoundStep>& found) {
  std::string kinds;
  for (const FoundStep& step : found) {
    kinds += (kinds.empty() ? "" : "|") + std::string(to_text(step.name.kind));
  }
  return usage_error("ambiguous-key", "choose a step of the key", "'" + key + "'",
                     "there is more than one: use --kind " + kinds);
}

}  // namespace

Result<std::optional<StepsToRead>> steps_to_read(runtime::Runtime& runtime) {
  auto steps = HF_TRY(runtime.find_steps());
  if (!steps) return std::nullopt;
  const session::SessionStore* sessions = HF_TRY(runtime.sessions());
  return StepsToRead{.steps = loop::StepStore(*std::move(steps)), .sessions = sessions};
}

Result<FoundStep> find_step(const Args& args, const std::optional<StepsToRead>& home) {
  std::vector<FoundStep> found;
  std::optional<Error> bad_key;
  bool is_key = false;  // of one kind at least: they take keys of different lengths
  const auto typed = args.text("kind");
  for (std::size_t i = 0; i < kStepKinds; ++i) {
    const auto kind = static_cast<StepKind>(i);
    if (typed && kind != parse_step_kind(*typed)) continue;
    auto key = step_key(args, kind);
    if (!key && !bad_key) bad_key = key.error();
    if (!key) continue;
    is_key = true;
    if (!home) continue;
    loop::StepName name{.kind = kind, .key = *std::move(key)};
    auto record = home->steps.read(name);
    if (record && !*record) continue;
    found.push_back({.name = std::move(name),
                     .record = record ? Result<StepRecord>(**std::move(record))
                                      : Result<StepRecord>(fail(record.error()))});
  }
  if (!is_key) return fail(*std::move(bad_key));
  const std::string& key = args.arguments().front();
  if (found.empty()) return no_such_step(typed ? *typed + ":" + key : key);
  if (found.size() > 1) return fail(ambiguous_key(key, found));
  return std::move(found.front());
}

Result<StepFacts> step_facts(const StepsToRead& home, StepRecord record, const TimeMark& now) {
  auto status =
      HF_TRY(loop::step_status(*home.sessions, std::move(record), now, loop::NameHeld::kNo));
  return StepFacts{.status = std::move(status), .now = now};
}

std::string_view state_of(const StepFacts& facts) {
  const StepRecord& record = facts.status.record;
  switch (facts.status.fate) {
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
  const StepRecord& record = facts.status.record;
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
  return {{"key", bytes_to_json(unread.name.key)},
          {"step", to_text(unread.name.kind)},
          {"state", nullptr},
          {"error",
           {{"op", unread.why.op},
            {"subject", printable(unread.why.subject)},
            {"cause", unread.why.cause},
            {"detail", unread.why.detail}}}};
}

std::string step_text(const StepFacts& facts) {
  const StepRecord& record = facts.status.record;
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    constexpr std::size_t kWidth = 13;
    text += padded(std::string(key), kWidth) + printable(value) + "\n";
  };
  line(to_text(record.step), record.key);
  line("state", std::string(state_of(facts)));
  if (record.pending) {
    line("claimed", "by process " + std::to_string(facts.status.by.pid) + " since " +
                        format_rfc3339(record.pending->since.wall) + " (" + facts.status.evidence +
                        ")");
  }
  if (record.done) line("done", format_rfc3339(record.done->at.wall));
  if (is_waiting(facts)) {
    line("next",
         format_rfc3339(wall_of(*record.next, facts.now)) + " (" + step_next_text(facts) + ")");
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

std::string step_table(const Context& context, const std::vector<StepRow>& rows) {
  std::vector<TableRow> cells;
  for (const StepRow& row : rows) cells.push_back(step_cells(row));
  return table_text(context, kStepColumns, cells);
}

}  // namespace holdfast::cli
