// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_found.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

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
  const auto* sessions = HF_TRY(context.runtime().find_sessions());
  if (sessions == nullptr) return fail(no_such_session(name));
  auto dir = HF_TRY(sessions->find(name));
  if (!dir) return fail(no_such_session(name));
  return *std::move(dir);
}

}  // namespace holdfast::cli
