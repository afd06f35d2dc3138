// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/budget.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_damage.h"
#include "cli/journal/journal_line.h"
#include "cli/journal/journal_options.h"
#include "cli/journal/journal_reading.h"
#include "runtime/journal_home.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

constexpr Duration kBetweenLooks = std::chrono::milliseconds(100);

Error too_late(std::uint64_t seen, std::optional<std::uint64_t> wanted, const std::string& whose) {
  const std::string number = wanted ? std::to_string(*wanted) + " " : "";
  return {.code = ErrorCode::kBusy,
          .op = "wait for",
          .subject = number + (wanted == 1 ? "event" : "events"),
          .cause = whose,
          .detail = "the time of --" + whose + " passed, and " + std::to_string(seen) + " came"};
}

// How it ends when the time is over: with --timeout and without --limit that is what was asked for.
int answer_at_timeout(Context& context, std::uint64_t seen, std::optional<std::uint64_t> limit,
                      const Allowed& allowed) {
  if (!limit && !allowed.by_budget) return to_int(ExitCode::kDone);
  context.report(too_late(seen, limit, allowed.by_budget ? "budget" : "timeout"));
  return to_int(ExitCode::kBusy);
}

Result<int> run_journal_follow(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const journal::Filter filter = HF_TRY(filter_of(args, Times::kSince, clock.wall()));
  const auto limit = args.integer("limit");
  const Allowed allowed = within_budget(args.duration("timeout"), clock.mono());
  const auto timeout = allowed.time;
  const BootTime begun = clock.boot();
  context.begin_stream();

  Follower follower(filter, args.text("since") ? Follower::From::kStart : Follower::From::kNow,
                    limit);
  const auto show = show_records(context);
  const HomeLocation location = HF_TRY(context.runtime().location());
  HF_TRY(check_fields(context, HF_TRY(find_journal(location)), filter, args.texts("where"), {},
                      UnknownField::kNote));
  while (true) {
    HF_TRY(follower.look(HF_TRY(find_journal(location)), show));
    HF_TRY(context.flush());
    tell_places(context, follower.take_damage());
    if (limit && follower.seen() >= *limit) break;
    const Duration passed = clock.boot() - begun;
    if (timeout && passed >= *timeout) {
      return answer_at_timeout(context, follower.seen(), limit, allowed);
    }
    const Duration wait = timeout ? std::min(kBetweenLooks, *timeout - passed) : kBetweenLooks;
    if (HF_TRY(context.reader_leaves(wait))) return to_int(ExitCode::kIo);
  }
  return to_int(ExitCode::kDone);
}

constexpr std::array kJournalFollowOptions{
    kTypeOption,
    kWhereOption,
    kClassOption,
    OptionSpec{.name = "since",
               .kind = OptionKind::kText,
               .value = "WHEN",
               .help = "begin with the events from WHEN on, written as for `journal query`; "
                       "without it with those that come from now on"},
    OptionSpec{.name = "limit",
               .letter = 'n',
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "end behind N events"},
    OptionSpec{.name = "timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "end after D, time asleep included"},
};

constexpr std::array kJournalFollowExamples{
    Example{.line = "holdfast journal follow --type 'lock.*' --since 1h",
            .says = "The lock events of the last hour, and then as they come"},
    Example{.line = "holdfast journal follow -t session.ended --limit 1 --timeout 1h",
            .says = "Wait for the next end of a session, for an hour at most"},
};

constexpr std::array kJournalFollowExits{
    ExitNote{ExitCode::kDone,
             "--limit was reached, or, where there is none, the time of --timeout "
             "is over"},
    ExitNote{ExitCode::kCannotTell, "an event of a newer holdfast; what came before was shown"},
    ExitNote{ExitCode::kIo, "the reader of the output went away"},
    ExitNote{ExitCode::kBusy, "the time of --timeout passed before --limit was reached"},
};

constexpr std::array kJournalFollowFields{
    JsonField{"seq", "and the others of `holdfast help journal query`, one object per line"},
};

}  // namespace

constinit const CommandSpec kJournalFollowCommand{
    .name = "journal follow",
    .summary = "show events as they come",
    .description =
        "Prints each new event that matches within about a tenth of a second, until Ctrl-C, until "
        "the reader goes away, or until --limit or --timeout. With both, it is a wait: 0 where "
        "the events came, 75 where the time passed first, as `wait` answers.\n\n"
        "It takes no lock, keeps no writer waiting, and may be started before the home exists. "
        "Damage is reported as it is met, and does not end it.",
    .options = kJournalFollowOptions,
    .examples = kJournalFollowExamples,
    .exits = kJournalFollowExits,
    .json_fields = kJournalFollowFields,
    .run = run_journal_follow,
};

}  // namespace holdfast::cli
