// SPDX-License-Identifier: Apache-2.0
//
// The words of the manual pages of `loop`.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/command_table.h"

namespace holdfast::cli {

inline constexpr std::string_view kLoopDescription =
    "Asks `source` what there is to do, runs `run` for each item as a session of its own, asks "
    "`verify` whether the world agrees, and keeps on record where each item is.\n\n"
    "A command's exit status is a claim, and `verify` is the outcome: an item is done when the "
    "world says so. A source that fails, is cut short or prints something else is no answer: "
    "nothing new is begun (69). A verification that cannot tell is asked again, and nothing else "
    "happens to the item meanwhile.\n\n"
    "Before each act its intent is on record, after it its outcome. Kill it at any point: what is "
    "under way goes on under its own supervisor, and the next loop finds it. What an act did that "
    "nobody saw end is asked of `verify`; without one the item is `unknown` and waits for a person "
    "(`loop retry`, `loop done`). A run that cannot be proven to have ended keeps its place, so "
    "that no second one is begun beside it.\n\n"
    "Of the same trouble people are told once; repetitions are counted and said in the next "
    "notice, after `cooldown`.\n\n"
    "Without --once it goes on until a signal asks it to end, and asks the source each `every`. "
    "Only one loop works on a name at a time. From cron: `holdfast loop FILE --no-wait` each few "
    "minutes, or --once.";

inline constexpr std::array kLoopExamples{
    Example{.line = "holdfast loop fix.toml --dry-run", .says = "What would be begun, and why"},
    Example{.line = "holdfast loop fix.toml --once", .says = "One pass over what is due"},
    Example{.line = "holdfast loop fix.toml", .says = "Work on until it is asked to end"},
    Example{.line = "holdfast loop status fix.toml", .says = "Where every item is"},
};

inline constexpr std::array kLoopExits{
    ExitNote{ExitCode::kDone, "the pass ran, whatever became of the items; `loop status` tells"},
    ExitNote{ExitCode::kUsage, "also --no-wait inside a run, which would end what was begun"},
    ExitNote{ExitCode::kCorrupt, "the log of the items is damaged; nothing was done"},
    ExitNote{ExitCode::kCannotTell,
             "the source could not tell what there is to do; what was under way was accounted for"},
    ExitNote{ExitCode::kBusy, "another loop works on it, or it is paused"},
    ExitNote{ExitCode::kRefused, "the state under this name is of another file"},
    ExitNote{ExitCode::kConfig, "the file is wrong"},
};

inline constexpr std::array kLoopFields{
    JsonField{"name", "of the loop"},
    JsonField{"begun", "how many runs were begun"},
    JsonField{"ended", "how many ended and were accounted for"},
    JsonField{"listed", "how many items the source printed"},
    JsonField{"budget", "which budget of the day is used up: `items`, `time` or `failures`"},
    JsonField{"paused", "whether it is"},
    JsonField{"counts", "how many items are in each state"},
    JsonField{"items", "--dry-run: `id`, `begins` and `why` of each, instead of the counts"},
};

// The file and its keys.
std::vector<Block> loop_manual();

}  // namespace holdfast::cli
