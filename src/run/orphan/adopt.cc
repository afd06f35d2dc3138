// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/adopt.h"

#include "os/watch/poll.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "run/orphan/adopted_run.h"
#include "session/record/view.h"
#include "supervise/front_end.h"

namespace holdfast::run {
namespace {

Result<> refuse_adoption(const SessionRecord& record) {
  constexpr std::chrono::seconds kPatience(5);
  Error error{.code = ErrorCode::kBusy,
              .op = "adopt the session",
              .subject = "'" + record.name + "'",
              .cause = "ending",
              .detail = "its command ends with its supervisor; look again in a moment"};
  if (!record.command) return fail(std::move(error));
  const proc::LifeVerdict command = proc::judge(proc::from_record(*record.command));
  const bool lives =
      command.life == proc::Life::kLive &&
      (!command.pidfd.valid() || !HF_TRY(os::wait_readable({&command.pidfd}, kPatience)));
  if (!lives) return fail(std::move(error));
  error.code = ErrorCode::kRefused;
  error.cause = "unsupported";
  error.detail =
      "Windows has no way to follow a command that outlived its supervisor; end it "
      "with `holdfast stop`";
  return fail(std::move(error));
}

// A first look, for a good answer without a process; the one that counts is made by the new
// supervisor, under the lock.
Result<> check_orphaned(const session::SessionDir& dir) {
  const auto view = HF_TRY(session::look(dir));
  if (!view) return {};
  HF_TRY(require_orphaned(*view));
  return adoption_is_offered() ? Result<>() : refuse_adoption(view->record);
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
