// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/ps_listing.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_table.h"
#include "format/json/json_values.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Json unread_json(const UnreadSession& unread) {
  return {{"name", unread.name}, {"state", nullptr}, {"error", error_json(unread.why)}};
}

void ps_notes(Context& context, const PsListing& listing, const PsFilter& filter) {
  const auto hidden = [&](std::size_t count, const char* what) {
    if (count == 0) return;
    context.note(std::to_string(count) + " " + what + (count == 1 ? " session" : " sessions") +
                 " hidden (use --all)");
  };
  hidden(listing.over, "ended");
  hidden(listing.internal, "internal");
  if (listing.rows.empty() && listing.over == 0 && listing.internal == 0) {
    context.note(filter.is_narrow() ? "no session matches" : "no session was ever run here");
  }
  if (listing.orphaned != 0) {
    context.note(std::to_string(listing.orphaned) +
                 " orphaned: `holdfast stop NAME` ends one, `holdfast adopt NAME` takes it over");
  }
}

Result<int> run_ps(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const PsFilter filter = HF_TRY(ps_filter(args, clock.wall()));
  PsListing listing = HF_TRY(ps_listing(context.runtime(), filter));
  const std::string sort = args.text("sort").value_or("name");
  if (sort != "name") sort_rows(listing.rows, sort);
  Json sessions = Json::array();
  for (const SessionRow& row : listing.rows) {
    const auto* unread = std::get_if<UnreadSession>(&row);
    sessions.push_back(unread != nullptr ? unread_json(*unread)
                                         : session_json(std::get<SessionFacts>(row)));
  }
  context.emit({{"sessions", std::move(sessions)}});
  if (!listing.rows.empty()) {
    context.print(session_table(context, listing.rows, clock.wall()));
  }
  ps_notes(context, listing, filter);
  if (!listing.trouble) return to_int(ExitCode::kDone);
  context.report(*listing.trouble);
  return to_int(info(listing.trouble->code).exit);
}

constexpr std::array kPsOptions{
    OptionSpec{.name = "all",
               .letter = 'a',
               .help = "also those that have ended, and those that loops and notices run for "
                       "themselves"},
    OptionSpec{.name = "state",
               .kind = OptionKind::kText,
               .value = "S[,S]",
               .help = "only those in these states, ended ones included"},
    OptionSpec{.name = "since",
               .kind = OptionKind::kText,
               .value = "T",
               .help = "also those that ended after T: 2h, 2026-11-17, 2026-11-17T14:00Z"},
    OptionSpec{.name = "sort",
               .kind = OptionKind::kChoice,
               .value = "name|state|started|ended|elapsed|output",
               .help = "by this, the latest or longest first (default name)"},
};
constexpr std::array kPsArguments{
    ArgumentSpec{.name = "NAME",
                 .help = "only sessions of these names; `*` is any text, `?` one character",
                 .arity = Arity::kAny}};

constexpr std::array kPsExamples{
    Example{.line = "holdfast ps", .says = "What runs now"},
    Example{.line = "holdfast ps --since 1d --sort ended 'fix-*'",
            .says = "What runs, and what ended within a day, of some names"},
    Example{.line = "holdfast ps --state failed,timed_out,lost", .says = "What went wrong"},
    Example{
        .line = "holdfast ps --all --json | jq -r '.sessions[] | select(.state==\"lost\").name'",
        .says = "The sessions of which nobody knows how they ended"},
};

constexpr std::array kPsExits{
    ExitNote{ExitCode::kDone, "listed; there may be none"},
    ExitNote{ExitCode::kCorrupt, "the record of one is damaged; all are listed"},
    ExitNote{ExitCode::kCannotTell, "the record of one is of a newer holdfast; all are listed"},
    ExitNote{ExitCode::kRefused, "what lies in the place of a record is unsafe; all are listed"},
};

constexpr std::array kPsFields{
    JsonField{"sessions",
              "a list of what `holdfast show` has for each, in the order of --sort; of one "
              "that cannot be read `name`, `state` null and `error`"},
};

}  // namespace

constinit const CommandSpec kPsCommand{
    .name = "ps",
    .summary = "list the sessions of this home",
    .description =
        "Shows each session that has not ended: its state, the process of its command, how long "
        "it runs, what is left until its deadline, how long ago it printed something, and the "
        "command; of those that have ended, how long ago and why. A session that waits for a lock "
        "is `waiting`, with the lock and its holder. Whether a session lives is asked of the "
        "kernel each time, never believed.\n\n"
        "A state with a question mark is the last that was recorded and cannot be judged from "
        "here: it runs on another host or in another container. A session whose record cannot be "
        "read is listed with the reason, and the exit code says so; it is never left out.",
    .options = kPsOptions,
    .arguments = kPsArguments,
    .examples = kPsExamples,
    .exits = kPsExits,
    .json_fields = kPsFields,
    .run = run_ps,
};

}  // namespace holdfast::cli
