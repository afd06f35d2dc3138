// SPDX-License-Identifier: Apache-2.0
//
// What journal commands are asked: the options that several of them have, and --data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "journal/read/filter.h"
#include "os/dir/dir.h"

namespace holdfast::cli {

inline constexpr OptionSpec kTypeOption{
    .name = "type",
    .letter = 't',
    .kind = OptionKind::kText,
    .value = "GLOB",
    .help = "only events of this type: a name, or a pattern such as `lock.*`",
    .repeat = Repeat::kMany};
inline constexpr OptionSpec kSinceOption{
    .name = "since",
    .kind = OptionKind::kText,
    .value = "WHEN",
    .help =
        "only events from WHEN on: a duration back from now (`30d`), `today`, `yesterday`, or a "
        "time (`2026-11-01 14:00`, `2026-11-01T07:00Z`)"};
inline constexpr OptionSpec kUntilOption{.name = "until",
                                         .kind = OptionKind::kText,
                                         .value = "WHEN",
                                         .help = "only events before WHEN, written as for --since"};
inline constexpr OptionSpec kWhereOption{
    .name = "where",
    .letter = 'w',
    .kind = OptionKind::kText,
    .value = "PATH=VALUE",
    .help =
        "only events with this value, such as `lock=deploy` or `holder.pid=4711`; "
        "`!=` for any other value or none",
    .repeat = Repeat::kMany};
inline constexpr OptionSpec kClassOption{.name = "class",
                                         .kind = OptionKind::kChoice,
                                         .value = "trace|event|decision",
                                         .help = "only events of this class"};

// From --type, --where and --class, and --since and --until where the command has them.
enum class Times : std::uint8_t { kSince, kSinceAndUntil };
// Errors: kUsage. A --type that is no pattern must be a known type or begin with `x.`: asking for a
// mistyped one would get a wrong 0.
Result<journal::Filter> filter_of(const Args& args, Times times, WallTime now);

// The fields that --where and --by name (`where` and `by` as typed) must be of some event that the
// types of `filter` let through: of the table of events, or of an event in this journal, since
// events of one's own have fields of their own. `name` that is neither is kUsage `unknown-field`,
// with the nearest one; of `data.name`, and with kNote, it is noted only. A journal that cannot be
// read says nothing against a field.
enum class UnknownField : std::uint8_t { kRefuse, kNote };
Result<> check_fields(Context& context, const std::optional<os::Dir>& journal,
                      const journal::Filter& filter, const std::vector<std::string>& where,
                      const std::vector<std::string>& by = {},
                      UnknownField unknown = UnknownField::kRefuse);

// The data of an event as the user gives it: `--data JSON`, `--data @FILE`, `--data -` (stdin), or
// nothing, which is stdin too, unless that is a terminal. Nothing but blanks is an empty object.
// Errors: those of parse_event_data (kCorrupt), and of reading the file or stdin.
Result<EventData> read_event_data(const std::optional<std::string>& option);

}  // namespace holdfast::cli
