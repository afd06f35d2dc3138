// SPDX-License-Identifier: Apache-2.0
//
// A final record is written while the name is still held, for some microseconds, or as long as its
// supervisor is busy with the end (--on-end, --on-failure, --on-success). Who waited for that record and begins the next run would find
// the name taken; so over a final record the name is waited for. If another run came first
// meanwhile, it is that one's turn, and not ours behind it: of several who begin at one moment, one
// runs. And whoever ends between our try for the name and our look is no orphan: session/record/view.h
// looks twice.
#include "run/lock/name_lock.h"

#include <algorithm>

#include "base/cause.h"
#include "base/units.h"
#include "format/session/outcome.h"
#include "run/orphan/old_run.h"
#include "session/record/view.h"

namespace holdfast::run {
namespace {

constexpr Duration kOverPatience = std::chrono::seconds(10);

// nullopt: there is no record.
Result<std::optional<session::SessionView>> view_of(const session::SessionStore& sessions,
                                                    const std::string& name) {
  const auto dir = HF_TRY(sessions.find(name));
  if (!dir) return std::nullopt;
  return session::look(*dir);
}

// The lock of the name may be in other hands than those of a run: `gc` has it for a moment, and
// anybody can take it.
std::string who_has_it(const std::optional<session::SessionView>& view,
                       std::optional<std::int32_t> holder) {
  const bool live = view && !is_final(view->record.state);
  if (!holder) return live ? "its supervisor lives" : "somebody holds the lock of its name";
  const std::string process = "process " + std::to_string(*holder);
  const auto is_holder = [&](const ProcessIdentity& one) { return one.pid == *holder; };
  if (live && view->record.command && is_holder(*view->record.command)) {
    return "it runs as " + process;
  }
  if (live && is_holder(view->record.supervisor)) return "its supervisor lives, " + process;
  return process + " holds the lock of its name";
}

// The hold of a run whose record is final.
bool is_at_its_end(const std::optional<session::SessionView>& view,
                   std::optional<std::int32_t> holder) {
  if (!view || !holder || !is_final(view->record.state)) return false;
  const SessionOrder& order = view->record.order;
  if (!order.on_end && !order.on_failure && !order.on_success) return false;
  return view->record.supervisor.pid == *holder ||
         (view->record.command && view->record.command->pid == *holder);
}

Error wait_ended(const std::string& name) {
  return {.code = ErrorCode::kBusy,
          .op = "run a session as",
          .subject = "'" + name + "'",
          .cause = std::string(reason::kInterrupted),
          .detail = "it was asked to end while it waited for the name; nothing was started"};
}

}  // namespace

std::string name_lock_of(const std::string& session) { return "session:" + session; }

Result<std::unique_ptr<lock::Lock>> take_name(lock::LockBackend& locks,
                                              const session::SessionStore& sessions,
                                              const NameRequest& wanted) {
  const std::string& name = wanted.name;
  auto lock = HF_TRY(locks.open({.kind = lock::LockId::Kind::kNamed, .text = name_lock_of(name)}));
  lock::AcquireRequest request;
  request.command = wanted.command;
  request.cancel = wanted.cancel;
  lock::AcquireOutcome outcome = HF_TRY(lock->acquire(request));
  if (outcome.granted()) return lock;
  const auto view = HF_TRY(view_of(sessions, name));
  const bool over = view && is_final(view->record.state);
  if (!over && view && view->known && view->state == SessionState::kOrphaned)
    return fail(orphaned_error(name));
  request.wait = std::max(wanted.wait, over ? kOverPatience : Duration::zero());
  if (*request.wait > Duration::zero()) {
    outcome = HF_TRY(lock->acquire(request));
    if (outcome.granted()) {
      const auto now = HF_TRY(view_of(sessions, name));
      // Who waits has its turn whoever came between.
      if (wanted.wait > Duration::zero() || !now || now->record.run == view->record.run)
        return lock;
      HF_TRY(lock->release());
    }
  }
  if (outcome.kind == lock::AcquireOutcome::Kind::kCancelled) return fail(wait_ended(name));
  if (!outcome.granted() && is_at_its_end(view, outcome.holder.pid)) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "run a session as",
                 .subject = "'" + name + "'",
                 .cause = cause::kSessionLive,
                 .detail =
                     "the last run's --on-end, --on-failure or --on-success command has not ended "
                     "yet; nothing was started"});
  }
  std::string holder =
      outcome.granted() ? "another run of it came first" : who_has_it(view, outcome.holder.pid);
  if (wanted.wait > Duration::zero()) holder += "; waited " + format_duration(outcome.waited);
  return fail({.code = ErrorCode::kBusy,
               .op = "run a session as",
               .subject = "'" + name + "'",
               .cause = cause::kSessionLive,
               .detail = holder + "; `holdfast show " + name + "` tells more, `holdfast stop " +
                         name + "` ends it; nothing was started"});
}

}  // namespace holdfast::run
