// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_forget.h"

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/step/step_command.h"
#include "cli/step/step_status.h"
#include "format/json/json.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> forget_step(Context& context, const Args& args) {
  runtime::Runtime& runtime = context.runtime();
  const FoundStep step = HF_TRY(find_step(args, HF_TRY(steps_to_read(runtime))));
  const loop::StepStore steps(HF_TRY(runtime.steps()));
  const loop::StepServices services{.clock = runtime.clock(),
                                    .events = runtime.events(),
                                    .sessions = *HF_TRY(runtime.sessions()),
                                    .steps = steps};
  const TimeMark now = HF_TRY(loop::moment_now(runtime.clock()));
  StepRecord record =
      HF_TRY(loop::forget_step(services, step.name, args.text("reason").value_or("")));
  const StepFacts facts{.status = {.record = std::move(record)}, .now = now};
  context.emit({{"key", bytes_to_json(step.name.key)},
                {"step", to_text(step.name.kind)},
                {"state", state_of(facts)}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kStepForgetArguments{kStepKey};
constexpr std::array kStepForgetOptions{
    kStepKind,
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "why, for the journal"},
};
constexpr std::array kStepForgetExits{
    ExitNote{ExitCode::kDone, "forgotten; a damaged record is kept beside its place"},
    ExitNote{ExitCode::kUsage, "steps of several kinds have this key: use --kind"},
    ExitNote{ExitCode::kCorrupt, "the record of its session is damaged; nothing changed"},
    ExitNote{ExitCode::kNo, "nothing is known of it"},
    ExitNote{ExitCode::kCannotTell, "whether its last run is over cannot be told; nothing changed"},
    ExitNote{ExitCode::kBusy, "it runs now; nothing changed"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
};
constexpr std::array kStepForgetFields{
    JsonField{"key", "of the step"},
    JsonField{"step", "its kind"},
    JsonField{"state", "that it was in"},
};
constexpr std::array kStepForgetExamples{
    Example{.line = "holdfast step forget migrate-7 --reason 'rolled back'", .says = "Do it again"},
    Example{.line = "holdfast step forget fix-160 --kind attempt",
            .says = "Give it all its attempts again"},
};

}  // namespace

constinit const CommandSpec kStepForgetCommand{
    .name = "step forget",
    .summary = "drop what is known of a step, so that it begins anew",
    .description =
        "Removes the record of KEY, after an entry in the journal. It is refused while a run of it "
        "is under way, or may be.",
    .options = kStepForgetOptions,
    .arguments = kStepForgetArguments,
    .examples = kStepForgetExamples,
    .exits = kStepForgetExits,
    .json_fields = kStepForgetFields,
    .run = forget_step,
};

}  // namespace holdfast::cli
