// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "cli/session/session_table.h"
#include "loop/series/series_store.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

// Of `run --iterations`; null, and no line, where there is none. One that cannot be read is said,
// and keeps nobody from seeing the rest.
struct SeriesShown {
  Json json = nullptr;
  std::string line{};
};
SeriesShown series_of(const session::SessionDir& dir) {
  const auto read = loop::read_series(dir);
  if (!read) {
    return {.json = {{"error", to_sentence(read.error())}},
            .line = "series       " + to_sentence(read.error()) + "\n"};
  }
  if (!*read) return {};
  const SeriesRecord& series = **read;
  const std::string how =
      series.over ? "over: " + std::string(to_text(*series.over)) : "unfinished";
  return {.json = {{"iterations", series.iterations},
                   {"done", series.done},
                   {"errors", series.errors},
                   {"idle", series.idle},
                   {"unknown", series.unknown},
                   {"over", series.over ? Json(to_text(*series.over)) : Json(nullptr)}},
          .line = "series       " + std::to_string(series.done) + " of " +
                  std::to_string(series.iterations) + " iterations done, " + how + "\n"};
}

Result<int> run_show(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const session::SessionDir dir = HF_TRY(find_session(context, args.arguments().front()));
  ChosenRun chosen = HF_TRY(choose_run(dir, args.integer("run")));
  const bool known = chosen.view.known;
  SessionFacts facts = facts_of(std::move(chosen.view), chosen.dir(dir), clock);
  see_what_it_waits_for(facts, context.runtime());
  Json fields = session_json(facts);
  fields["runs"] = HF_TRY(dir.earlier_runs());
  const SeriesShown series = series_of(dir);
  fields["series"] = series.json;
  context.emit(fields);
  context.print(session_text(context, facts, clock.wall()) + series.line);
  return to_int(known ? ExitCode::kDone : ExitCode::kCannotTell);
}

constexpr std::array kShowOptions{kRunOption};
constexpr std::array kShowArguments{kSessionArgument};

constexpr std::array kShowExamples{
    Example{.line = "holdfast show fix-160", .says = "All that is known of one session"},
    Example{.line = "holdfast show fix-160 --json | jq -r .state", .says = "Its state alone"},
};

constexpr std::array kShowExits{
    ExitNote{ExitCode::kDone, "shown"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged; it was left as it is"},
    ExitNote{ExitCode::kNo, "there is no such session, or no such run of it"},
    ExitNote{ExitCode::kCannotTell,
             "whether it lives cannot be told from here, what is known is shown; or its record is "
             "of a newer holdfast"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
};

constexpr auto kShowFields = [] {
  std::array<JsonField, kSessionFields.size() + 2> fields{};
  std::ranges::copy(kSessionFields, fields.begin());
  fields[kSessionFields.size()] = {"runs", "the numbers of the earlier runs that are kept"};
  fields.back() = {
      "series",
      "of `run --iterations`: `iterations`, `done`, `errors`, `idle`, `unknown` and "
      "`over` (why, null while unfinished); `error` where it cannot be read; else null"};
  return fields;
}();

}  // namespace

constinit const CommandSpec kShowCommand{
    .name = "show",
    .summary = "show all that is known of a session",
    .description =
        "Shows the record of a session, and what the kernel says of it now: a session whose "
        "supervisor was killed is `orphaned`, one that was running when the machine went down is "
        "`lost`.\n\n"
        "With --run it shows an earlier run of the same name; the last ten are kept.",
    .options = kShowOptions,
    .arguments = kShowArguments,
    .examples = kShowExamples,
    .exits = kShowExits,
    .json_fields = kShowFields,
    .run = run_show,
};

}  // namespace holdfast::cli
