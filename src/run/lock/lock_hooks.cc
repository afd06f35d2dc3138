// SPDX-License-Identifier: Apache-2.0
//
// When a lease is lost the order comes first: the journal may be slow and stderr may be a pipe that
// nobody reads, and every moment counts until the work is stopped. So tick() only notes the loss
// and wants the end; the next tick, at once, tells of it.
#include "run/lock/lock_hooks.h"

#include "lock/grant/events.h"
#include "lock/grant/identity.h"
#include "proc/identity/identity.h"

namespace holdfast::run {
namespace {

Error lock_hooks_not_started(const std::string& label, ErrorCode code, std::string_view cause,
                             std::string_view detail) {
  return {.code = code,
          .op = "run the command under",
          .subject = label,
          .cause = std::string(cause),
          .detail = std::string(detail) + "; it did not run"};
}

}  // namespace

LockHooks::LockHooks(Reporter& reporter, const Clock& clock, lock::Lock& lock,
                     runtime::BufferedEvents& events, OnLost on_lost)
    : reporter_(reporter), clock_(clock), lock_(lock), events_(events), on_lost_(on_lost) {
  const lock::Grant& grant = *lock.grant();
  if (grant.ttl) lease_.emplace(*grant.ttl, *grant.deadline - *grant.ttl);
}

Result<> LockHooks::born(const supervise::Born& born) {
  // Below a supervisor it is that one's child, and not ours.
  const auto identity = HF_TRY(born.supervisor ? proc::identity_of(born.command)
                                               : proc::identity_of_child(born.command));
  if (!identity) {
    return fail(lock_hooks_not_started(lock_.label(), ErrorCode::kOsRefused, "child-gone",
                                       "its process ended before it was let in"));
  }
  if (HF_TRY(lock_.set_work(lock::to_record(*identity))) == lock::Owned::kYes) return {};
  lost_ = "start";
  return fail(lock_hooks_not_started(lock_.label(), ErrorCode::kBusy, "lost",
                                     "the lock was taken away before the command started"));
}

// The command runs by now, so the journal is no longer in its way.
void LockHooks::started() {
  const auto flushed = events_.flush();
  static_cast<void>(flushed);  // traces; the command is not told
}

std::optional<BootTime> LockHooks::next_tick() const {
  if (!lease_ || told_) return std::nullopt;
  return lease_->next();  // of a lost one in the past: it is told at once
}

supervise::CallerHooks::Wish LockHooks::tick() {
  if (lost_) {
    tell();
    return Wish::kGoOn;
  }
  const BootTime began = clock_.boot();
  const auto owned = lock_.renew(lock::Lock::Beat::kAlive);
  if (owned && *owned == lock::Owned::kYes) {
    lease_->renewed(began);
    return Wish::kGoOn;
  }
  if (owned) return lose("renew", "it is not this holder's any more");
  if (lease_->failed(clock_.boot())) return Wish::kGoOn;
  return lose("no-renewal", "it could not be renewed in time: " + to_sentence(owned.error()));
}

supervise::CallerHooks::Wish LockHooks::lose(std::string how, std::string why) {
  lost_ = std::move(how);
  why_lost_ = std::move(why);
  return on_lost_ == OnLost::kTerm ? Wish::kEnd : Wish::kGoOn;
}

void LockHooks::tell() {
  if (!lost_ || told_) return;
  told_ = true;
  // Lost before the start is an error of its own.
  if (on_lost_ != OnLost::kIgnore && !why_lost_.empty()) {
    reporter_.warn("the lease of lock '" + lock_.label() + "' is lost: " + why_lost_ +
                   (on_lost_ == OnLost::kTerm ? "; the command is ended"
                                              : "; the command goes on without it"));
  }
  lock::LockEvents(&events_, lock_.label()).lost(*lock_.grant(), *lost_);
}

}  // namespace holdfast::run
