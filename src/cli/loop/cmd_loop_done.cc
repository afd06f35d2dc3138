// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/commands.h"
#include "cli/loop/loop_person.h"
#include "loop/item/manual_override.h"

namespace holdfast::cli {
namespace {

Result<int> run_loop_done(Context& context, const Args& args) {
  const std::string reason = args.text("reason").value_or("");
  return change_items(
      context, args, "loop.settled", reason,
      [&](loop::ItemLog& log, const std::string& id, loop::UnderWay under_way,
          const TimeMark& now) { return loop::settle_item(log, id, reason, under_way, now); });
}

constexpr std::array kLoopDoneOptions{
    kLoopForceOption,
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "how you know, for the record and the journal"},
};

constexpr std::array kLoopDoneExamples{
    Example{.line = "holdfast loop done fix.toml 160 --reason 'merged by hand'",
            .says = "Your word that nothing is left to do"},
};

}  // namespace

constinit const CommandSpec kLoopDoneCommand{
    .name = "loop done",
    .summary = "say that items of a loop are done",
    .description =
        "A person's word in place of the verification: for an item that is `unknown`, or was seen "
        "to by hand. on_success is not run.",
    .options = kLoopDoneOptions,
    .arguments = kLoopItemArguments,
    .examples = kLoopDoneExamples,
    .exits = kLoopPersonExits,
    .json_fields = kLoopPersonFields,
    .run = run_loop_done,
};

}  // namespace holdfast::cli
