// SPDX-License-Identifier: Apache-2.0
#include "cli/session/ps_listing.h"

#include <algorithm>

#include "cli/frame/option_value.h"
#include "cli/output/moment.h"
#include "cli/session/session_facts.h"
#include "cli/session/session_found.h"
#include "journal/read/filter.h"
#include "loop/item/item_command.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

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

}  // namespace

bool PsFilter::wants(std::string_view name) const {
  return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
           return journal::glob_match(glob, name);
         });
}

bool PsFilter::wants(const SessionFacts& facts) const {
  if (!states.empty() && std::ranges::find(states, shown_state(facts)) == states.end()) {
    return false;
  }
  const std::optional<WallTime>& ended = facts.view.record.ended;
  return !since || !is_final(facts.view.state) || (ended && *ended >= *since);
}

Result<PsFilter> ps_filter(const Args& args, WallTime now) {
  PsFilter filter{
      .all = args.flag("all"), .globs = args.arguments(), .states = HF_TRY(state_values(args))};
  if (const auto since = args.text("since")) {
    filter.since = HF_TRY(parse_moment("since", *since, now));
  }
  return filter;
}

Result<PsListing> ps_listing(runtime::Runtime& runtime, const PsFilter& filter) {
  PsListing listing;
  const auto* store = HF_TRY(runtime.find_sessions());
  if (store == nullptr) return listing;
  for (const std::string& name : HF_TRY(store->names())) {
    if (filter.wants(name)) ps_add(listing, look_at_one(runtime, *store, name), name, filter);
  }
  return listing;
}

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
  // Those that cannot be read come last; of equals the name decides.
  std::ranges::sort(rows, [&](const SessionRow& one, const SessionRow& other) {
    const auto* a = std::get_if<SessionFacts>(&one);
    const auto* b = std::get_if<SessionFacts>(&other);
    if (a != nullptr && b != nullptr) {
      if (time(*a) != time(*b)) return time(*a) > time(*b);
      return a->view.record.name < b->view.record.name;
    }
    if (a != nullptr || b != nullptr) return a != nullptr;
    return std::get<UnreadSession>(one).name < std::get<UnreadSession>(other).name;
  });
}

}  // namespace holdfast::cli
