// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/adopt.h"

#include "run/orphan/adopted_run.h"
#include "session/record/look.h"
#include "supervise/front_end.h"

namespace holdfast::run {
namespace {

// A first look, for a good answer without a process; the one that counts is made by the new
// supervisor, under the lock.
Result<> check_orphaned(const session::SessionDir& dir) {
  const auto view = HF_TRY(session::look(dir));
  if (!view) return {};
  return require_orphaned(*view);
}

}  // namespace

Result<os::Pid> adopt_session(const OrphanServices& services, session::SessionDir dir,
                              const std::function<void()>& in_supervisor) {
  HF_TRY(check_orphaned(dir));
  const supervise::Supervised supervised = HF_TRY(supervise::run_supervisor(
      services.clock, supervise::Await::kNews,
      [&](const os::SignalState& signals, os::Handle news) {
        if (in_supervisor) in_supervisor();
        return AdoptedRun(services, signals, std::move(news)).run(std::move(dir));
      }));
  if (!supervised.report) return supervised.supervisor;
  if (supervised.report->fault) return fail(*supervised.report->fault);
  return fail({.code = ErrorCode::kInternal,
               .op = "adopt the session",
               .cause = "supervisor-gone",
               .detail = "the new supervisor ended before it had taken over"});
}

}  // namespace holdfast::run
