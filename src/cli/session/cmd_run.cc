// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/profile/profile_run.h"
#include "cli/session/run_manual.h"
#include "cli/session/run_options.h"
#include "cli/session/run_perform.h"
#include "cli/session/series_options.h"
#include "cli/session/series_perform.h"
#include "os/spawn/inherited.h"

namespace holdfast::cli {
namespace {

// Without a profile a command is needed. An argument is a word such as `-5`, which is none.
Result<> check_plain(const Args& args) {
  if (!args.arguments().empty()) {
    return fail(usage_error(
        "extra-argument", "run", "holdfast run",
        "unexpected argument '" + args.arguments().front() + "'; see `holdfast help run`"));
  }
  if (!args.trailing().empty()) return {};
  return fail(usage_error("missing-argument", "run", "holdfast run",
                          "the command to run is missing; see `holdfast help run`"));
}

Result<int> run_run(Context& context, const Args& args) {
  const bool has_profile = args.text("profile").has_value();
  if (!has_profile) HF_TRY(check_plain(args));
  os::Handle status;
  if (const auto fd = args.integer("status-fd")) status = HF_TRY(os::adopt_for_writing(*fd));
  HF_TRY(check_series_options(args));
  if (args.integer("iterations")) return run_iterations(context, args, std::move(status));
  if (has_profile) return run_profile(context, args, std::move(status));
  const run::RunOrder order = HF_TRY(run_order(context, args));
  return perform_run(context, order, std::move(status));
}

constexpr std::array kRunBrief{
    HelpGroup{.title = "Name and limits", .options = "name|timeout|idle-timeout"},
    HelpGroup{.title = "How it runs", .options = "detach|stdin|env"},
    HelpGroup{.title = "Locks and outcome", .options = "lock|verify|on-failure"},
};

}  // namespace

constinit const CommandSpec kRunCommand{
    .name = "run",
    .summary = "run a command to the end of its process tree, with a deadline",
    .description = kRunDescription,
    .options = kRunOptions,
    .arguments = kRunArguments,
    .trailing = Trailing::kMoreWords,
    .examples = kRunExamples,
    .exits = kRunExits,
    .json_fields = kRunFields,
    .brief = kRunBrief,
    .run = run_run,
};

}  // namespace holdfast::cli
