// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/frame/option_value.h"
#include "cli/output/moment.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "cli/session/session_table.h"
#include "format/json/json_values.h"
#include "journal/read/filter.h"
#include "loop/item/item_command.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

struct PsListing {
  std::vector<SessionRow> rows{};
  std::size_t over = 0;      // final ones that are not shown
  std::size_t internal = 0;  // of loops and notices, likewise
  std::size_t orphaned = 0;
  std::optional<Error> trouble{};  // with the first session that could not be read
};

// What is to be shown.
struct PsFilter {
  bool all = false;
  std::vector<std::string> globs{};   // of names; none: every name
  std::vector<std::string> states{};  // as shown; none: every state
  std::optional<WallTime> since{};

  [[nodiscard]] bool wants(std::string_view name) const {
    return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
             return journal::glob_match(glob, name);
           });
  }
  // What has ended is shown to who asks for all, for a state, or for a time.
  [[nodiscard]] bool wants_ended() const { return all || !states.empty() || since; }
  [[nodiscard]] bool wants(const SessionFacts& facts) const {
    if (!states.empty() && std::ranges::find(states, shown_state(facts)) == states.end()) {
      return false;
    }
    const std::optional<WallTime>& ended = facts.view.record.ended;
    return !since || !is_final(facts.view.state) || (ended && *ended >= *since);
  }
};

Result<std::vector<std::string>> state_values(const Args& args) {
  std::vector<std::string> states;
  const std::string typed = args.text("state").value_or("");
  for (std::size_t begin = 0; begin < typed.size();) {
    const std::size_t end = std::min(typed.find(',', begin), typed.size());
    states.push_back(typed.substr(begin, end - begin));
    begin = end + 1;
    if (states.back() != kWaitingState && !parse_session_state(states.back())) {
      return bad_value("state", states.back(), "the states are waiting, " + all_state_words());
    }
  }
  return states;
}

Result<PsFilter> ps_filter(const Args& args, WallTime now) {
  PsFilter filter{
      .all = args.flag("all"), .globs = args.arguments(), .states = HF_TRY(state_values(args))};
  if (const auto since = args.text("since")) {
    filter.since = HF_TRY(parse_moment("since", *since, now));
  }
  return filter;
}

Json unread_json(const UnreadSession& unread) {
  return {{"name", unread.name}, {"state", nullptr}, {"error", error_json(unread.why)}};
}

// nullopt: there is no record, so there is no session.
Result<std::optional<SessionFacts>> look_at_one(runtime::Runtime& runtime,
                                                const session::SessionStore& store,
                                                const std::string& name) {
  const auto dir = HF_TRY(store.find(name));
  if (!dir) return std::nullopt;
  auto view = HF_TRY(session::look(*dir));
  if (!view) return std::nullopt;
  SessionFacts facts = facts_of(*std::move(view), dir->dir(), runtime.clock());
  see_what_it_waits_for(facts, runtime);
  return facts;
}

// One that needs somebody is shown, whoever runs it.
bool is_hidden(const SessionFacts& facts) {
  const SessionState state = facts.view.state;
  return facts.view.known && state != SessionState::kOrphaned &&
         loop::is_internal_session(facts.view.record);
}

void ps_add(PsListing& listing, Result<std::optional<SessionFacts>> found, const std::string& name,
            const PsFilter& filter) {
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
  if (!filter.wants(**found)) return;
  if (!filter.all && is_hidden(**found)) {
    listing.internal += is_final(state) && !filter.wants_ended() ? 0U : 1U;
  } else if (is_final(state) && !filter.wants_ended()) {
    ++listing.over;
  } else {
    listing.rows.emplace_back(**std::move(found));
  }
}

// The newest, longest or last first; what has no such time comes last. Names decide the rest.
void sort_rows(std::vector<SessionRow>& rows, std::string_view key) {
  const auto time = [&](const SessionFacts& facts) -> std::optional<std::int64_t> {
    const auto number = [](const auto& value) {
      return value ? std::optional<std::int64_t>(value->time_since_epoch().count()) : std::nullopt;
    };
    if (key == "started") return number(facts.view.record.started);
    if (key == "ended") return number(facts.view.record.ended);
    if (key == "output") return number(facts.last_output);
    if (key == "elapsed" && facts.elapsed) return facts.elapsed->count();
    if (key == "state") return -static_cast<std::int64_t>(facts.view.state);
    return std::nullopt;
  };
  std::ranges::stable_sort(rows, [&](const SessionRow& one, const SessionRow& other) {
    const auto* a = std::get_if<SessionFacts>(&one);
    const auto* b = std::get_if<SessionFacts>(&other);
    if (a == nullptr || b == nullptr) return a != nullptr && b == nullptr;
    return time(*a) > time(*b);
  });
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
    const bool filtered = !filter.globs.empty() || !filter.states.empty() || filter.since;
    context.note(filtered ? "no session matches" : "no session was ever run here");
  }
  if (listing.orphaned != 0) {
    context.note(std::to_string(listing.orphaned) +
                 " orphaned: `holdfast stop NAME` ends one, `holdfast adopt NAME` takes it over");
  }
}

Result<int> run_ps(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const PsFilter filter = HF_TRY(ps_filter(args, clock.wall()));
  PsListing listing;
  const auto* store = HF_TRY(context.runtime().find_sessions());
  if (store != nullptr) {
    for (const std::string& name : HF_TRY(store->names())) {
      if (!filter.wants(name)) continue;
      ps_add(listing, look_at_one(context.runtime(), *store, name), name, filter);
    }
  }
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
