// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/loop/loop_answer.h"
#include "cli/loop/loop_state.h"
#include "cli/loop/loop_status.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Json day_json(const std::optional<LoopDay>& day) {
  if (!day) return nullptr;
  return {{"day", day->day},
          {"begun", day->begun},
          {"failures", day->failures},
          {"time_ms", std::chrono::ceil<std::chrono::milliseconds>(day->time).count()}};
}

Result<int> run_loop_status(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const LoopState state = HF_TRY(find_loop(context, args.arguments().front(), trust_of(args)));
  const TimeMark now = HF_TRY(loop::moment_now(clock));
  auto listed = last_listed(state);
  if (!listed) context.warn("the source's last answer: " + to_sentence(listed.error()));
  std::vector<ItemView> views = views_of(*state.log, listed.value_or(std::vector<std::string>{}));
  if (args.arguments().size() > 1) {
    const std::string& id = args.arguments()[1];
    std::erase_if(views, [&](const ItemView& view) { return view.item.id != id; });
    if (views.empty()) {
      return fail({.code = ErrorCode::kNotFound,
                   .op = "find",
                   .subject = "item '" + id + "'",
                   .cause = "no-such-item",
                   .detail = "the loop has never taken it up, and its source does not list it"});
    }
  }
  const auto paused = HF_TRY(state.dir->paused());
  Json items = Json::array();
  for (const ItemView& view : views) items.push_back(item_json(view, state.file, now));
  Json fields{{"name", bytes_to_json(state.file.name)},
              {"file", bytes_to_json(state.file.path)},
              {"paused", nullptr},
              {"day", day_json(state.log->day())},
              {"counts", item_counts(views)},
              {"items", std::move(items)}};
  if (paused) {
    fields["paused"] = {{"since", format_rfc3339(paused->since)},
                        {"reason", bytes_to_json(paused->reason)}};
  }
  context.emit(fields);
  if (!views.empty()) context.print(item_table(context, views, state.file, now));
  context.note(item_summary(views));
  if (paused) {
    context.note("paused since " + format_rfc3339(paused->since) +
                 (paused->reason.empty() ? "" : ": " + paused->reason));
  }
  return to_int(ExitCode::kDone);
}

constexpr std::array kLoopStatusArguments{
    kLoopFileArgument,
    ArgumentSpec{.name = "ITEM", .help = "only this one", .arity = Arity::kOptional}};

constexpr std::array kLoopStatusOptions{kTrustConfigOption};

constexpr std::array kLoopStatusExamples{
    Example{.line = "holdfast loop status fix.toml", .says = "Every item, and why it is there"},
    Example{.line = "holdfast loop status fix.toml --json | jq '.counts.unknown // 0'",
            .says = "How many wait for a person"},
};
constexpr std::array kLoopStatusExits{
    ExitNote{ExitCode::kDone, "shown; there may be none"},
    ExitNote{ExitCode::kCorrupt, "the log of the items is damaged"},
    ExitNote{ExitCode::kNo, "the loop has never worked here, or has no such item"},
    ExitNote{ExitCode::kRefused,
             "the state under this name is of another file, or another user could change FILE"},
    ExitNote{ExitCode::kConfig, "the file is wrong"},
};
constexpr std::array kLoopStatusFields{
    JsonField{"name", "of the loop"},
    JsonField{"file", "its file"},
    JsonField{"paused", "`since` and `reason`; null where it is not"},
    JsonField{"day", "what the budget counts: `day`, `begun`, `failures`, `time_ms`"},
    JsonField{"counts", "how many items are in each state"},
    JsonField{"items",
              "of each `id`, `state`, `attempts`, `max`, `next`, `reason`, `detail`, `session`, "
              "`act` (what is under way), `exit_code`, `verified`, `listed`, `first_seen`, "
              "`changed`, `notices_held_back`, `notice_unsure`"},
};

}  // namespace

constinit const CommandSpec kLoopStatusCommand{
    .name = "loop status",
    .summary = "show every item of a loop",
    .description =
        "Shows each item: its state, the attempts used, when it is due, and why it is where it is. "
        "Items that the source listed last time and that were never taken up are `waiting`. The "
        "source is not asked.\n\n"
        "`waiting`, `running`, `verifying` (`verify` decides), `succeeding` and `failing` "
        "(on_success or on_failure is to be run), `success_unsure` and `failure_unsure` (whether "
        "it took place is asked), `unknown` (a person has to tell: `loop retry` or `loop done`), "
        "`done`, `gave_up`.",
    .options = kLoopStatusOptions,
    .arguments = kLoopStatusArguments,
    .examples = kLoopStatusExamples,
    .exits = kLoopStatusExits,
    .json_fields = kLoopStatusFields,
    .run = run_loop_status,
};

}  // namespace holdfast::cli
