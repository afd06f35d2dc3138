// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "cli/session/session_table.h"
#include "format/json/json_values.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

struct PsListing {
  std::vector<SessionRow> rows{};
  std::size_t over = 0;  // final ones that are not shown
  std::size_t orphaned = 0;
  std::optional<Error> trouble{};  // with the first session that could not be read
};

Json unread_json(const UnreadSession& unread) {
  return {{"name", unread.name}, {"state", nullptr}, {"error", error_json(unread.why)}};
}

// nullopt: there is no record, so there is no session.
Result<std::optional<SessionFacts>> look_at_one(const session::SessionStore& store,
                                                const std::string& name, const Clock& clock) {
  const auto dir = HF_TRY(store.find(name));
  if (!dir) return std::nullopt;
  auto view = HF_TRY(session::look(*dir));
  if (!view) return std::nullopt;
  return facts_of(*std::move(view), dir->dir(), clock);
}

void ps_add(PsListing& listing, Result<std::optional<SessionFacts>> found, const std::string& name,
            bool all) {
  if (!found) {
    // A damaged record outweighs what may pass.
    const bool worse = !listing.trouble || (listing.trouble->code != ErrorCode::kCorrupt &&
                                            found.error().code == ErrorCode::kCorrupt);
    if (worse) listing.trouble = found.error();
    listing.rows.emplace_back(UnreadSession{.name = name, .why = std::move(found).error()});
    return;
  }
  if (!*found) return;
  const SessionState state = (*found)->view.state;
  listing.orphaned += state == SessionState::kOrphaned ? 1U : 0U;
  if (is_final(state) && !all) {
    ++listing.over;
    return;
  }
  listing.rows.emplace_back(**std::move(found));
}

Result<int> run_ps(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  PsListing listing;
  const auto* store = HF_TRY(context.runtime().find_sessions());
  if (store != nullptr) {
    for (const std::string& name : HF_TRY(store->names())) {
      ps_add(listing, look_at_one(*store, name, clock), name, args.flag("all"));
    }
  }
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
  if (listing.over != 0) {
    context.note(std::to_string(listing.over) + " ended not shown; --all does");
  }
  if (listing.rows.empty() && listing.over == 0) context.note("no session was ever run here");
  if (listing.orphaned != 0) {
    context.note(std::to_string(listing.orphaned) +
                 " orphaned: `holdfast stop NAME` ends one, `holdfast adopt NAME` takes it over");
  }
  if (!listing.trouble) return to_int(ExitCode::kDone);
  context.report(*listing.trouble);
  return to_int(info(listing.trouble->code).exit);
}

constexpr std::array kPsOptions{
    OptionSpec{.name = "all", .letter = 'a', .help = "also those that have ended"},
};

constexpr std::array kPsExamples{
    Example{.line = "holdfast ps", .says = "What runs now"},
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
              "a list of what `holdfast show` has for each, in the order of their names; of one "
              "that cannot be read `name`, `state` null and `error`"},
};

}  // namespace

constinit const CommandSpec kPsCommand{
    .name = "ps",
    .summary = "list the sessions of this home",
    .description =
        "Shows each session that has not ended: its state, the process of its command, how long "
        "it runs, what is left until its deadline, how long ago it printed something, and the "
        "command. Whether a session lives is asked of the kernel each time, never believed.\n\n"
        "A state with a question mark is the last that was recorded and cannot be judged from "
        "here: it runs on another host or in another container. A session whose record cannot be "
        "read is listed with the reason, and the exit code says so; it is never left out.",
    .options = kPsOptions,
    .examples = kPsExamples,
    .exits = kPsExits,
    .json_fields = kPsFields,
    .run = run_ps,
};

}  // namespace holdfast::cli
