// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_damage.h"
#include "cli/journal/journal_line.h"
#include "cli/journal/journal_options.h"
#include "cli/journal/journal_reading.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

Result<journal::QueryRequest> request_of(const Args& args) {
  journal::QueryRequest request;
  request.filter = HF_TRY(filter_of(args, Times::kSinceAndUntil, os::RealClock().wall()));
  request.reverse = args.flag("reverse");
  request.limit = args.integer("limit");
  if (args.integer("last") && (request.reverse || request.limit)) {
    return fail(usage_error("bad-value", "use the value of --last", "'" + *args.text("last") + "'",
                            "--last goes neither with --limit nor with --reverse"));
  }
  return request;
}

// Looks from the newest back for the number from which on there are `last` matching records.
Result<std::uint64_t> start_of_last(Context& context, const os::Dir& dir,
                                    const journal::QueryRequest& request, std::uint64_t last) {
  journal::QueryRequest back = request;
  back.reverse = true;
  back.limit = last;
  std::uint64_t first = UINT64_MAX;
  HF_TRY(read_records(context, dir, back, [&](const journal::QueriedRecord& record) {
    first = std::min(first, record.at.record.fields.seq);
    return Result<os::Visit>(os::Visit::kContinue);
  }));
  return first;
}

Result<int> run_journal_query(Context& context, const Args& args) {
  journal::QueryRequest request = HF_TRY(request_of(args));
  context.begin_stream();
  const auto dir = HF_TRY(journal_to_read(context));
  HF_TRY(check_fields(context, dir, request.filter, args.texts("where")));
  if (!dir) return to_int(ExitCode::kDone);
  if (const auto last = args.integer("last")) {
    request.from_seq = HF_TRY(start_of_last(context, *dir, request, *last));
  }
  const ReadOutcome outcome = HF_TRY(read_records(context, *dir, request, show_records(context)));
  HF_TRY(context.flush());
  tell_unfinished(context, outcome.unfinished_bytes);
  context.emit({{"damaged", damage_json(outcome.damaged)}});
  return tell_damage(context, HF_TRY(damage_of_question(*dir, request.filter, outcome.damaged)));
}

constexpr std::array kJournalQueryOptions{
    kTypeOption,
    kSinceOption,
    kUntilOption,
    kWhereOption,
    kClassOption,
    OptionSpec{.name = "limit",
               .letter = 'n',
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "stop behind N events"},
    OptionSpec{.name = "reverse", .letter = 'r', .help = "the newest first"},
    OptionSpec{.name = "last",
               .kind = OptionKind::kInteger,
               .value = "N",
               .help = "only the newest N, the oldest of them first"},
};

constexpr std::array kJournalQueryExamples{
    Example{.line = "holdfast journal query --last 20", .says = "What happened lately?"},
    Example{.line = "holdfast journal query --type 'lock.*' --where lock=deploy --since 7d",
            .says = "Who held, waited for or took the lock `deploy` in the last week?"},
    Example{.line = "holdfast journal query --where name=nightly --since yesterday",
            .says = "What happened to the session `nightly` since yesterday?"},
    Example{.line = "holdfast journal query --type process.killed --json | jq .data.evidence",
            .says = "What was killed, and on what proof?"},
    Example{.line = "holdfast journal query --reverse --limit 1 --type gc.planned",
            .says = "What did the last clean-up remove?"},
};

constexpr std::array kJournalQueryExits{
    ExitNote{ExitCode::kDone, "all of it was read, whether or not anything matched"},
    ExitNote{ExitCode::kCorrupt,
             "some of the journal is damaged; everything readable was shown, and each damaged "
             "place reported"},
    ExitNote{ExitCode::kCannotTell, "an event of a newer holdfast; what came before was shown"},
};

constexpr std::array kJournalQueryFields{
    JsonField{"seq", "the number of the event in the journal"},
    JsonField{"time", "when, by the wall clock of the writer"},
    JsonField{"type", "what happened; `holdfast help events`"},
    JsonField{"class", "`trace`, `event` or `decision`"},
    JsonField{"writer", "the process that recorded it: pid and start time"},
    JsonField{"boot", "the first 8 digits of the boot id"},
    JsonField{"data", "the facts, an object"},
    JsonField{"damaged",
              "in the last line only, if that has `ok` false: a list of places that are "
              "not what a writer wrote, as in `holdfast help journal verify`"},
};

}  // namespace

constinit const CommandSpec kJournalQueryCommand{
    .name = "journal query",
    .summary = "show the events that match, oldest first",
    .description =
        "Everything given must hold; of several --type one. A table for people: time (UTC), type, "
        "facts; on a terminal cut to its width. With --json one object per line; a line with `ok` "
        "is no event but the end of a stream that failed (see `holdfast help json`).\n\n"
        "PATH is `type`, `class`, `writer`, `boot`, `seq`, or a field of the event's data, with "
        "dots "
        "between nested keys: `lock`, `holder.pid`, `argv.0`; `data.type` is the field `type` of "
        "the data. Values compare as texts. A field that no event has is refused (64) with the "
        "nearest one; `data.FIELD` is only noted, for scripts that ask before the first such event "
        "is there.\n\n"
        "A time without a zone, `today` and `yesterday` are of the local time zone.\n\n"
        "It takes no lock and changes nothing. Order is that of recording; wall clocks step, so "
        "times may go back. A --type that is no pattern must be a known type or begin with `x.`, "
        "so that a typing error is not answered with nothing.",
    .options = kJournalQueryOptions,
    .examples = kJournalQueryExamples,
    .exits = kJournalQueryExits,
    .json_fields = kJournalQueryFields,
    .run = run_journal_query,
};

}  // namespace holdfast::cli
