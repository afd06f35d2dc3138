// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_run.h"

#include "cli/session/session_found.h"
#include "session/record/view.h"

namespace holdfast::cli {

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

}  // namespace holdfast::cli
