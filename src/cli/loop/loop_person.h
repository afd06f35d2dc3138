// SPDX-License-Identifier: Apache-2.0
//
// What `loop retry` and `loop done` share.
#pragma once

#include <array>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/loop/loop_home.h"
#include "format/loop/loop_item.h"
#include "format/text/due_time.h"
#include "loop/item/manual_override.h"

namespace holdfast::cli {

inline constexpr std::array kLoopItemArguments{
    kLoopFileArgument, ArgumentSpec{.name = "ITEM", .help = "its id", .arity = Arity::kOneOrMore}};

inline constexpr std::array kLoopPersonExits{
    ExitNote{ExitCode::kDone, "it is on record"},
    ExitNote{ExitCode::kCorrupt, "the log of the items is damaged; nothing was changed"},
    ExitNote{ExitCode::kNo, "the loop has no such item"},
    ExitNote{ExitCode::kBusy, "something is under way for the item; its session is named"},
    ExitNote{ExitCode::kRefused, "that cannot be said of an item in its state"},
    ExitNote{ExitCode::kConfig, "the file is wrong"},
};

inline constexpr std::array kLoopPersonFields{
    JsonField{"name", "of the loop"},
    JsonField{"items", "`id` and `state` of each that was changed"},
};

inline constexpr OptionSpec kLoopForceOption{
    .name = "force",
    .help =
        "also where something is under way that cannot be told to run: your word that it is "
        "over"};

using ChangeItem = std::function<Result<ItemRecord>(loop::ItemLog& log, const std::string& id,
                                                    loop::UnderWay under_way, const TimeMark& now)>;

// One item after the other; what failed is said, and the first failure is the answer.
Result<int> change_items(Context& context, const Args& args, std::string_view event,
                         const std::string& reason, const ChangeItem& change);

}  // namespace holdfast::cli
