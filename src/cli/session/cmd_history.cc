// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "cli/session/session_table.h"
#include "format/json/json_values.h"
#include "format/session/outcome.h"
#include "runtime/runtime.h"
#include "session/record/own_file.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

using NewestRun = Result<std::optional<session::SessionView>>;

// nullopt: it went since it was listed. A newest record that is damaged hides no earlier one.
Result<std::optional<SessionFacts>> facts_of_run(const session::SessionDir& dir,
                                                 const NewestRun& newest, std::uint64_t number,
                                                 const Clock& clock) {
  if (newest && *newest && (*newest)->record.number == number) {
    return facts_of(**newest, dir.dir(), clock);
  }
  const auto earlier = HF_TRY(dir.run_dir(number));
  if (!earlier) return std::nullopt;
  auto record = HF_TRY(session::read_record(*earlier, dir.name()));
  if (!record) return std::nullopt;
  return facts_of(session::look_at(*std::move(record)), *earlier, clock);
}

// The newest first.
Result<std::vector<std::uint64_t>> run_numbers(const session::SessionDir& dir,
                                               const NewestRun& newest) {
  std::vector<std::uint64_t> numbers = HF_TRY(dir.earlier_runs());
  if (newest && *newest) numbers.push_back((*newest)->record.number);
  std::ranges::sort(numbers, std::ranges::greater());
  const auto same = std::ranges::unique(numbers);
  numbers.erase(same.begin(), same.end());
  return numbers;
}

Json run_json(const RunRow& row) {
  if (const auto* unread = std::get_if<UnreadSession>(&row.row)) {
    return {{"number", row.number}, {"state", nullptr}, {"error", error_json(unread->why)}};
  }
  const auto& facts = std::get<SessionFacts>(row.row);
  const SessionRecord& record = facts.view.record;
  const auto outcome = outcome_of(facts.view.state, record);
  Json json;
  json["number"] = row.number;
  json["run"] = to_hex(record.run);
  json["state"] = to_text(facts.view.state);
  json["code"] = outcome ? Json(outcome->code) : Json(nullptr);
  json["exit_code"] = or_null(record.exit_code);
  json["signal"] = or_null(record.signal);
  json["verified"] = or_null(record.verified);
  json["reason"] = or_null(record.reason);
  json["detail"] = or_null(record.detail);
  json["created"] = format_rfc3339(record.created);
  json["started"] = time_or_null(record.started);
  json["ended"] = time_or_null(record.ended);
  json["elapsed_ms"] = ms_or_null(facts.elapsed);
  json["asked_by"] = record.asked ? Json(record.asked->by) : Json(nullptr);
  return json;
}

Result<int> run_history(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const session::SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  const NewestRun newest = session::look(dir);
  std::optional<Error> trouble;
  std::vector<RunRow> rows;
  if (!newest) {
    trouble = newest.error();
    rows.push_back({.row = UnreadSession{.name = dir.name(), .why = newest.error()}});
  }
  std::vector<std::uint64_t> numbers = HF_TRY(run_numbers(dir, newest));
  if (numbers.empty() && !trouble) return fail(session::no_such_session(dir.name()));
  const bool forgotten = !numbers.empty() && numbers.back() > 1;
  const auto last = args.integer("last");
  if (last && *last < numbers.size()) numbers.resize(*last);
  for (const std::uint64_t number : numbers) {
    auto facts = facts_of_run(dir, newest, number, clock);
    if (!facts) {
      if (!trouble) trouble = facts.error();
      rows.push_back({.number = number,
                      .row = UnreadSession{.name = dir.name(), .why = std::move(facts).error()}});
    } else if (*facts) {
      rows.push_back({.number = number, .row = **std::move(facts)});
    }
  }
  Json runs = Json::array();
  for (const RunRow& row : rows) runs.push_back(run_json(row));
  context.emit({{"name", dir.name()}, {"runs", std::move(runs)}});
  context.print(history_table(context, rows, clock.wall()));
  if (forgotten && !last) context.note("earlier runs are not kept");
  if (!trouble) return to_int(ExitCode::kDone);
  context.report(*trouble);
  return to_int(info(trouble->code).exit);
}

constexpr std::array kHistoryOptions{OptionSpec{.name = "last",
                                                .letter = 'n',
                                                .kind = OptionKind::kInteger,
                                                .value = "N",
                                                .help = "only the last N runs"}};
constexpr std::array kHistoryArguments{kSessionArgument};

constexpr std::array kHistoryExamples{
    Example{.line = "holdfast history fix-160", .says = "How its runs ended, the newest first"}};

constexpr std::array kHistoryExits{
    ExitNote{ExitCode::kDone, "shown"},
    ExitNote{ExitCode::kCorrupt, "the record of a run is damaged; the others are shown"},
    ExitNote{ExitCode::kNo, "there is no such session"},
    ExitNote{ExitCode::kCannotTell, "the record of a run is of a newer holdfast"},
    ExitNote{ExitCode::kRefused, "an unsafe file lies in the place of a record"}};

constexpr std::array kHistoryFields{
    JsonField{"name", "of the session"},
    JsonField{"runs",
              "a list, the newest first, each with `number`, `code` (of `holdfast run`), "
              "`elapsed_ms` and fields of `show`; of one that cannot be read `number` and `error`"},
};

}  // namespace

constinit const CommandSpec kHistoryCommand{
    .name = "history",
    .summary = "list the runs of a session, and how they ended",
    .description =
        "Shows the runs of a name, the newest first: when each started, how long it took, the exit "
        "code of `holdfast run`, and why it ended. The newest run and the ten before it are kept; "
        "the journal has the end "
        "of each for longer: `holdfast journal query --type session.ended`.",
    .options = kHistoryOptions,
    .arguments = kHistoryArguments,
    .examples = kHistoryExamples,
    .exits = kHistoryExits,
    .json_fields = kHistoryFields,
    .run = run_history,
};

}  // namespace holdfast::cli
