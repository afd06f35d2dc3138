// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_found.h"

#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {

std::string all_state_words() {
  std::string all;
  for (std::size_t i = 0; i < kSessionStates; ++i) {
    all += (i == 0 ? "" : ", ") + std::string(to_text(static_cast<SessionState>(i)));
  }
  return all;
}

Result<session::SessionDir> find_session(const Context& context, const std::string& name) {
  const auto* sessions = HF_TRY(context.runtime().find_sessions());
  if (sessions == nullptr) return fail(session::no_such_session(name));
  auto dir = HF_TRY(sessions->find(name));
  if (!dir) return fail(session::no_such_session(name));
  return *std::move(dir);
}

Result<ChosenRun> choose_run(const session::SessionDir& dir, std::optional<std::uint64_t> number) {
  auto view = HF_TRY(session::look(dir));
  if (!number && !view) return fail(session::no_such_session(dir.name()));
  if (view && number.value_or(view->record.number) == view->record.number) {
    return ChosenRun{.view = *std::move(view)};
  }
  auto record = HF_TRY(dir.read_run(*number));
  auto earlier = HF_TRY(dir.run_dir(*number));
  if (!record || !earlier) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "find",
                 .subject = "run " + std::to_string(*number) + " of '" + dir.name() + "'",
                 .cause = "no-such-run",
                 .detail = "it never was, or is no longer kept"});
  }
  return ChosenRun{.view = session::look_at(*std::move(record)), .earlier = std::move(earlier)};
}

Result<> LogPrinter::show(session::LogReader& log) {
  for (;;) {
    const std::string bytes = HF_TRY(log.read_some());
    if (bytes.empty()) {
      if (follow_ && HF_TRY(log.look_for_more())) continue;
      return context_.flush();
    }
    HF_TRY(context_.stream(bytes));
  }
}

}  // namespace holdfast::cli
