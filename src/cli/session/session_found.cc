// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_found.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

Result<session::SessionDir> find_session(const Context& context, const std::string& name) {
  const auto* sessions = HF_TRY(context.runtime().find_sessions());
  if (sessions == nullptr) return fail(session::no_such_session(name));
  auto dir = HF_TRY(sessions->find(name));
  if (!dir) return fail(session::no_such_session(name));
  return *std::move(dir);
}

}  // namespace holdfast::cli
