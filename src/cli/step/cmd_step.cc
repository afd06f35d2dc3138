// SPDX-License-Identifier: Apache-2.0
//
// `step show` and `step list`.
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/step/step_command.h"
#include "cli/step/step_status.h"
#include "format/json/json.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> show_step(Context& context, const Args& args) {
  const auto home = HF_TRY(steps_to_read(context.runtime()));
  FoundStep step = HF_TRY(find_step(args, home));
  if (!step.record) return fail(step.record.error());
  const TimeMark now = HF_TRY(loop::moment_now(context.runtime().clock()));
  const StepFacts facts = HF_TRY(step_facts(*home, *std::move(step.record), now));
  context.emit(step_json(facts));
  context.print(step_text(facts));
  const bool known = facts.status.fate != loop::IntentFate::kUnknown &&
                     facts.status.fate != loop::IntentFate::kOrphanUnproven;
  return to_int(known ? ExitCode::kDone : ExitCode::kCannotTell);
}

Result<int> list_steps(Context& context, const Args& args) {
  const auto home = HF_TRY(steps_to_read(context.runtime()));
  const TimeMark now = HF_TRY(loop::moment_now(context.runtime().clock()));
  const auto typed = args.text("kind");
  std::vector<StepRow> rows;
  std::optional<Error> trouble;
  for (std::size_t i = 0; home && i < kStepKinds; ++i) {
    const auto kind = static_cast<StepKind>(i);
    if (typed && kind != parse_step_kind(*typed)) continue;
    for (loop::StepStore::Listed& listed : HF_TRY(home->steps.list(kind))) {
      auto facts = listed.record ? step_facts(*home, *std::move(listed.record), now)
                                 : Result<StepFacts>(fail(listed.record.error()));
      if (facts) {
        rows.emplace_back(*std::move(facts));
        continue;
      }
      if (!trouble) trouble = facts.error();
      rows.emplace_back(
          UnreadStep{.name = {.kind = kind, .key = listed.key}, .why = facts.error()});
    }
  }
  Json steps = Json::array();
  for (const StepRow& row : rows) steps.push_back(step_row_json(row));
  context.emit({{"steps", std::move(steps)}});
  if (!rows.empty()) context.print(step_table(context, rows));
  if (rows.empty()) context.note("there is none here");
  if (!trouble) return to_int(ExitCode::kDone);
  context.report(*trouble);
  return to_int(ExitCode::kCannotTell);
}

constexpr std::array kStepShowArguments{kStepKey};
constexpr std::array kStepKindOptions{kStepKind};

constexpr std::array kStepShowExits{
    ExitNote{ExitCode::kDone, "shown"},
    ExitNote{ExitCode::kUsage, "steps of several kinds have this key: use --kind"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged; it was left as it is"},
    ExitNote{ExitCode::kNo, "nothing is known of it"},
    ExitNote{ExitCode::kCannotTell,
             "its record is of a newer holdfast; or whether its last run is over cannot be told, "
             "and it is shown as far as it is known"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
};
constexpr std::array kStepListExits{
    ExitNote{ExitCode::kDone, "listed; there may be none"},
    ExitNote{ExitCode::kCannotTell, "one cannot be read; all are listed, that one with the reason"},
};
constexpr std::array kStepListFields{
    JsonField{
        "steps",
        "a list of what `step show` has for each, by kind and then by key; of one that cannot "
        "be read `key`, `step`, `state` null and `error`"},
};
constexpr std::array kStepShowExamples{
    Example{.line = "holdfast step show migrate-7 --json", .says = "All of it, for a program"},
    Example{.line = "holdfast step show pr-42 --kind notify",
            .says = "What was sent, held back, or could not be sent"},
};
constexpr std::array kStepListExamples{
    Example{.line = "holdfast step list", .says = "Every step, and how it stands"},
    Example{.line = "holdfast step list --json | jq '.steps[]|select(.state==\"exhausted\")'",
            .says = "What was given up"},
};

}  // namespace

constinit const CommandSpec kStepShowCommand{
    .name = "step show",
    .summary = "show what is known of a step, and its last runs",
    .description =
        "Shows the record of KEY, settled with what its session says now: a run that has ended "
        "since, or whose supervisor is gone, is shown as that. Nothing is changed.",
    .options = kStepKindOptions,
    .arguments = kStepShowArguments,
    .examples = kStepShowExamples,
    .exits = kStepShowExits,
    .json_fields = kStepShowFields,
    .run = show_step,
};

constinit const CommandSpec kStepListCommand{
    .name = "step list",
    .summary = "list all steps, with how they stand",
    .description =
        "Shows a line for each step. What cannot be read is listed with the reason and never left "
        "out.",
    .options = kStepKindOptions,
    .examples = kStepListExamples,
    .exits = kStepListExits,
    .json_fields = kStepListFields,
    .run = list_steps,
};

}  // namespace holdfast::cli
