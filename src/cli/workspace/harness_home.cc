// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/harness_home.h"

#include "cli/session/session_found.h"
#include "os/spawn/env.h"
#include "runtime/home.h"
#include "session/workspace/harness.h"
#include "session/workspace/harness_attach.h"

namespace holdfast::cli {

Error no_such_harness(const std::string& name) {
  return {.code = ErrorCode::kNotFound,
          .op = "find the session",
          .subject = "'" + name + "'",
          .cause = "no-such-session",
          .detail =
              "there is no session of a harness of this name; `holdfast session list --all` shows "
              "those that there are, `holdfast ps --all` those of `holdfast run`"};
}

Result<HarnessHome> HarnessHome::open(const Context& context, const Clock& clock) {
  const HomeLocation location = HF_TRY(locate_home(context.home_option(), os::env));
  const Home home = HF_TRY(Home::open_or_create(location, clock));
  session::SessionStore sessions(HF_TRY(home.open_part(HomePart::kSessions)));
  return HarnessHome(std::move(sessions), std::make_unique<DeferredEvents>(location, clock));
}

Result<HarnessHome> HarnessHome::find(const Context& context, const Clock& clock,
                                      const std::string& name) {
  auto sessions = HF_TRY(sessions_to_read(context));
  if (!sessions) return fail(no_such_harness(name));
  HomeLocation location = HF_TRY(locate_home(context.home_option(), os::env));
  return HarnessHome(*std::move(sessions),
                     std::make_unique<DeferredEvents>(std::move(location), clock));
}

Result<HarnessRecord> HarnessHome::record_of(const std::string& typed) const {
  auto named = HF_TRY(session::read_harness(sessions_, typed));
  if (named) return *std::move(named);
  const auto id = parse_id128(typed);
  if (!id) return fail(no_such_harness(typed));
  std::optional<Error> unread;
  for (const std::string& name : HF_TRY(sessions_.names())) {
    auto record = session::read_harness(sessions_, name);
    if (!record) {
      unread = std::move(record).error();
    } else if (*record && (*record)->id == *id) {
      return **std::move(record);
    }
  }
  if (!unread) return fail(no_such_harness(typed));
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find the session",
               .subject = "'" + typed + "'",
               .cause = "unreadable-record",
               .detail = "none that can be read has this id, and one cannot be read: " +
                         to_sentence(*unread)});
}

void HarnessHome::tell(Context& context, const Event& event) {
  const auto recorded = events_->record(event);
  if (recorded) return;
  context.warn("this was done, but could not be put on record: " + to_sentence(recorded.error()));
}

Result<> HarnessHome::record(const Event& event) {
  HF_TRY(events_->record(event));
  return {};
}

Result<> check_heard(Context& context, const session::SessionStore& sessions,
                     const session::HarnessMade& made, const Clock& clock) {
  auto read = context.flush();
  if (read) return {};
  const auto ended = session::end(sessions, made.record.name, {.token = made.token},
                                  "nobody was told of it", session::Force::kNo, clock);
  if (!ended) context.report(ended.error());
  return fail(std::move(read).error());
}

Result<HarnessFound> find_harness(const Context& context, const std::string& name) {
  auto sessions = HF_TRY(sessions_to_read(context));
  if (!sessions) return fail(no_such_harness(name));
  auto record = HF_TRY(session::read_harness(*sessions, name));
  if (!record) return fail(no_such_harness(name));
  return HarnessFound{.sessions = *std::move(sessions), .record = *std::move(record)};
}

}  // namespace holdfast::cli
