// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "cli/loop/loop_answer.h"
#include "cli/loop/loop_manual.h"
#include "cli/loop/loop_state.h"
#include "cli/session/run_perform.h"
#include "cli/session/series_options.h"
#include "loop/intent/services.h"
#include "loop/item/engine.h"
#include "run/lock/lock_environment.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

class LoopTold final : public loop::LoopListener {
 public:
  explicit LoopTold(Context& context) : context_(context) {}
  void say(const std::string& line) override { context_.note(line); }
  void warn(const std::string& line) override { context_.warn(line); }

 private:
  Context& context_;
};

Result<int> run_loop(Context& context, const Args& args) {
  HF_TRY(refuse_budget("a loop", "its file says how long each part may take"));
  if (args.flag("no-wait"))
    HF_TRY(refuse_inside_run("--no-wait", "start it from outside, or use --once, which waits"));
  const Clock& clock = context.runtime().clock();
  const std::string& path = args.arguments().front();
  if (args.flag("dry-run")) return show_loop_plan(context, clock, path, trust_of(args));
  const LoopState state = HF_TRY(open_loop(context, path, args.flag("moved"), trust_of(args)));
  const auto for_runs = context.runtime().apart();
  const loop::LoopServices services = HF_TRY(
      loop::loop_services(context.runtime(), *for_runs, HF_TRY(run::chain_of_environment())));
  LoopTold told(context);
  loop::Engine engine(services, state.file, *state.dir, *state.log, told,
                      profile_order(context, state.file, trust_of(args)));
  auto report = engine.run({.once = args.flag("once"), .no_wait = args.flag("no-wait")});
  flush_events(context);
  return answer_loop(context, state, std::move(report));
}

constexpr std::array kLoopOptions{
    OptionSpec{.name = "once",
               .help = "one pass: take up each item that is due, at most once, wait for the ends, "
                       "and return"},
    OptionSpec{.name = "no-wait",
               .help = "one pass, and do not wait: what was begun is left to the next one",
               .excludes = "once|dry-run"},
    OptionSpec{.name = "dry-run",
               .letter = 'n',
               .help = "ask the source, say what would be begun and what not, and change nothing"},
    kLoopMovedOption,
    kTrustConfigOption,
};
constexpr std::array kLoopArguments{kLoopFileArgument};

}  // namespace

constinit const CommandSpec kLoopCommand{
    .name = "loop",
    .summary = "work through items: claim, run, verify, record, notify",
    .description = kLoopDescription,
    .options = kLoopOptions,
    .arguments = kLoopArguments,
    .examples = kLoopExamples,
    .exits = kLoopExits,
    .json_fields = kLoopFields,
    .run = run_loop,
};

}  // namespace holdfast::cli
