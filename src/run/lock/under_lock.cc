// SPDX-License-Identifier: Apache-2.0
#include "run/lock/under_lock.h"

#include "base/budget.h"
#include "run/lock/lock_environment.h"
#include "run/lock/lock_text.h"
#include "run/session/final_state.h"
#include "runtime/runtime.h"
#include "supervise/front_end.h"
#include "supervise/wrap.h"

namespace holdfast::run {
namespace {

using UnderLockKind = lock::AcquireOutcome::Kind;

class UnderLock {
 public:
  UnderLock(runtime::Runtime& runtime, Reporter& reporter, const LockRunRequest& request)
      : runtime_(runtime), reporter_(reporter), clock_(runtime.clock()), request_(request) {
    answer_.label =
        request.id.kind == lock::LockId::Kind::kFile ? "file:" + request.id.text : request.id.text;
  }

  LockRunResult run() {
    if (auto got = acquire(); !got) {
      without_lock(std::move(got).error());
    } else if (!answer_.outcome->granted()) {
      without_lock(not_granted(answer_.label, *answer_.outcome, request_.request));
    } else {
      under_lock();
    }
    return std::move(answer_);
  }

 private:
  Result<> acquire() {
    auto* locks = HF_TRY(runtime_.locks(request_.any));
    if (request_.any == lock::AnyFileSystem::kAllow) HF_TRY(warn_of_file_system(*locks));
    if (request_.slots == 0) lock_ = HF_TRY(locks->open(request_.id));
    if (lock_) answer_.label = lock_->label();
    lock::AcquireRequest request = request_.request;
    const lock::OnWait on_wait = [&](const lock::HolderView& holder) {
      reporter_.note(waiting_text(answer_.label, holder, request.wait));
    };
    if (request_.say_waiting) request.on_wait = &on_wait;
    if (lock_) {
      answer_.outcome = HF_TRY(lock_->acquire(request));
      return {};
    }
    lock::AcquiredSlot got = HF_TRY(locks->acquire_slot(
        {.name = request_.id.text, .count = request_.slots, .stagger = request_.stagger}, request));
    lock_ = std::move(got.lock);
    answer_.outcome = std::move(got.outcome);
    if (lock_) answer_.label = lock_->label();
    return {};
  }

  Result<> warn_of_file_system(const lock::LocalBackend& locks) {
    const lock::Place place = HF_TRY(locks.place_of(request_.id));
    if (place.trusted) return {};
    reporter_.warn("the lock lies on " + place.file_system +
                   ": it holds on this machine at most, and other machines may get it too");
    return {};
  }

  void under_lock() {
    answer_.grant = lock_->grant();
    const std::string note = grant_note(answer_.label, *answer_.outcome);
    if (!note.empty()) reporter_.note(note);
    const LockEnvironment environment = environment_under(*lock_, request_.request.chain, clock_);
    // One that was entered again is another's to record, renew and release.
    if (answer_.outcome->kind == UnderLockKind::kReentered) {
      supervise::CallerHooks nobody;
      note_run(run_command(environment, nobody, false));
      // The outer hold may have ended before this command did.
      const auto held = lock_->check();
      if (held && *held == lock::Owned::kLost) answer_.lost = "outer";
      const auto released = lock_->release();
      static_cast<void>(released);  // of this seat alone: nothing happens
      return;
    }
    LockHooks caller_hooks(reporter_, clock_, *lock_, runtime_.events(), request_.on_lost);
    note_run(run_command(environment, caller_hooks, request_.request.ttl.has_value()));
    caller_hooks.tell();
    answer_.lost = caller_hooks.lost();
    give_back();
    runtime::flush_or_warn(runtime_.events(), reporter_);
  }

  Result<supervise::RunReport> run_command(const LockEnvironment& environment,
                                           supervise::CallerHooks& caller_hooks, bool lease) {
    std::vector<os::NativeHandle> inherit;
    const bool holds = answer_.grant && answer_.outcome->kind == UnderLockKind::kGranted;
    if (holds && lock_->life() != os::HandleTraits::nothing()) inherit.push_back(lock_->life());
    if (!lease && !request_.wait_descendants && !budget()) {
      return supervise::run_wrapped(clock_,
                                    {.argv = request_.argv,
                                     .stdout_to = request_.stdout_to,
                                     .environment = environment.added,
                                     .environment_without = environment.removed,
                                     .inherit = std::move(inherit)},
                                    caller_hooks);
    }
    std::vector<os::NativeHandle> not_for_shim;
    if (lock_->not_for_children() != os::HandleTraits::nothing())
      not_for_shim.push_back(lock_->not_for_children());
    const supervise::TreeRequest tree{.commands = {request_.argv},
                                      .stdout_to = request_.stdout_to,
                                      .environment = environment.added,
                                      .environment_without = environment.removed,
                                      .inherit = std::move(inherit),
                                      .leftovers = request_.wait_descendants
                                                       ? supervise::Leftovers::kWait
                                                       : supervise::Leftovers::kLeave,
                                      .not_for_shim = std::move(not_for_shim),
                                      .grace = request_.grace};
    return to_run_report(HF_TRY(supervise::run_tree(clock_, tree, {}, &caller_hooks)).report);
  }

  void note_run(Result<supervise::RunReport> report) {
    if (report) {
      answer_.report = std::move(*report);
    } else {
      answer_.error = std::move(report).error();
    }
  }

  // The command has ended. Where it cannot be said in the record, the next contender finds a dead
  // holder instead.
  void give_back() {
    // Another's by now: there is nothing to release, and the loss is on record already.
    if (answer_.lost && *answer_.lost != "no-renewal") return lock_->leave();
    // Nobody can say whether the command still runs. It has the descriptor of the lock, and its
    // identity is in the record: so the lock is free when it ends, and not before.
    if (answer_.report && answer_.report->supervisor_gone) return lock_->leave();
    const auto released = lock_->release();
    if (!released) {
      reporter_.warn("the lock was given back, but that could not be recorded: " +
                     to_sentence(released.error()));
    } else if (*released == lock::Owned::kLeft) {
      reporter_.warn("the lock '" + answer_.label +
                     "' is not free yet: a run that was started under it goes on, and keeps it "
                     "until its command has ended");
    } else if (*released == lock::Owned::kLost && !answer_.lost) {
      answer_.lost = "release";
    }
  }

  // Closed, unless the reason was named and is on record first.
  void without_lock(Error error) {
    answer_.error = std::move(error);
    const auto reason = fail_open_reason(*answer_.error);
    if (!reason || !request_.fail_open.contains(*reason)) return;
    if (auto recorded = record_opening(*reason); !recorded) {
      answer_.error->detail +=
          "; and it does not run without the lock either, because that could "
          "not be recorded: " +
          to_sentence(recorded.error());
      return;
    }
    answer_.open_reason = *reason;
    reporter_.warn("the command runs WITHOUT the lock '" + answer_.label + "' (" +
                   std::string(*reason) + "), as --fail-open allows; this is on record");
    answer_.error.reset();
    supervise::CallerHooks nobody;
    note_run(run_command(environment_without(request_.request.chain, lock_.get()), nobody, false));
  }

  Result<> record_opening(std::string_view reason) {
    FailOpenFacts facts{.lock = answer_.label, .reason = reason};
    if (answer_.outcome) {
      facts.waited = answer_.outcome->waited;
      facts.holder = &answer_.outcome->holder;
    }
    return record_fail_open(runtime_.events(), facts);
  }

  runtime::Runtime& runtime_;
  Reporter& reporter_;
  const Clock& clock_;
  const LockRunRequest& request_;
  std::unique_ptr<lock::Lock> lock_;
  LockRunResult answer_;
};

}  // namespace

LockRunResult run_under_lock(runtime::Runtime& runtime, Reporter& reporter,
                             const LockRunRequest& request) {
  return UnderLock(runtime, reporter, request).run();
}

}  // namespace holdfast::run
