// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_found.h"

#include "os/spawn/env.h"
#include "runtime/home.h"

namespace holdfast::cli {

Result<std::optional<session::SessionStore>> sessions_to_read(const Context& context) {
  const auto home = Home::open(HF_TRY(locate_home(context.home_option(), os::env)));
  if (!home && home.error().cause == "no-home-yet") return std::nullopt;
  if (!home) return fail(home.error());
  auto sessions = HF_TRY(home->find_part(HomePart::kSessions));
  if (!sessions) return std::nullopt;
  return session::SessionStore(std::move(*sessions));
}

Error no_such_session(const std::string& name) {
  return {.code = ErrorCode::kNotFound,
          .op = "find the session",
          .subject = "'" + name + "'",
          .cause = "no-such-session",
          .detail =
              "no session of this name was ever run in this home; `holdfast ps --all` lists "
              "those that were"};
}

Result<session::SessionDir> find_session(const Context& context, const std::string& name) {
  const auto sessions = HF_TRY(sessions_to_read(context));
  if (!sessions) return fail(no_such_session(name));
  auto dir = HF_TRY(sessions->find(name));
  if (!dir) return fail(no_such_session(name));
  return *std::move(dir);
}

}  // namespace holdfast::cli
