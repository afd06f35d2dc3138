// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/commands.h"
#include "cli/loop/loop_person.h"
#include "loop/item/manual_override.h"

namespace holdfast::cli {
namespace {

Result<int> run_loop_retry(Context& context, const Args& args) {
  const bool from_start = args.flag("from-start");
  return change_items(
      context, args, "loop.retried", args.text("reason").value_or(""),
      [&](loop::ItemLog& log, const std::string& id, loop::UnderWay under_way,
          const TimeMark& now) { return loop::retry_item(log, id, from_start, under_way, now); });
}

constexpr std::array kLoopRetryOptions{
    kLoopForceOption,
    OptionSpec{.name = "from-start",
               .help = "also where its run was verified and only on_success is missing"},
    OptionSpec{
        .name = "reason", .kind = OptionKind::kText, .value = "TEXT", .help = "for the journal"},
};

constexpr std::array kLoopRetryExamples{
    Example{.line = "holdfast loop retry fix.toml 160",
            .says = "It is due now, with all its attempts"},
};

}  // namespace

constinit const CommandSpec kLoopRetryCommand{
    .name = "loop retry",
    .summary = "let a loop try items again",
    .description =
        "For an item that is `unknown`, was given up, waits for its next attempt, or cannot be "
        "verified: its attempts begin anew, and it is due now. Look first at what the last attempt "
        "did (`holdfast logs SESSION`): where nobody could tell, this is your word that it may be "
        "repeated. One whose run was verified goes on with on_success. A working loop takes it up "
        "at once.",
    .options = kLoopRetryOptions,
    .arguments = kLoopItemArguments,
    .examples = kLoopRetryExamples,
    .exits = kLoopPersonExits,
    .json_fields = kLoopPersonFields,
    .run = run_loop_retry,
};

}  // namespace holdfast::cli
