// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_command.h"

#include "base/budget.h"
#include "cli/lock/lock_answer.h"
#include "cli/lock/lock_environment.h"
#include "cli/lock/lock_options.h"
#include "runtime/runtime.h"
#include "supervise/front_end.h"
#include "supervise/wrap.h"

namespace holdfast::cli {
namespace {

using LockCommandKind = lock::AcquireOutcome::Kind;

supervise::RunReport to_run_report(supervise::TreeReport tree) {
  supervise::CommandFacts command;
  if (!tree.commands.empty()) command = tree.commands.front();
  return {std::move(tree), command};
}

class UnderLock {
 public:
  UnderLock(Context& context, const LockCommand& command)
      : context_(context),
        runtime_(context.runtime()),
        clock_(runtime_.clock()),
        command_(command) {
    answer_.label =
        command.id.kind == lock::LockId::Kind::kFile ? "file:" + command.id.text : command.id.text;
  }

  LockAnswer run() {
    if (auto got = acquire(); !got) {
      without_lock(std::move(got).error());
    } else if (!answer_.outcome->granted()) {
      without_lock(not_granted(answer_.label, *answer_.outcome, command_.request));
    } else {
      under_lock();
    }
    return std::move(answer_);
  }

 private:
  Result<> acquire() {
    auto* locks = HF_TRY(runtime_.locks(command_.any));
    if (command_.any == lock::AnyFileSystem::kAllow) HF_TRY(warn_of_file_system(*locks));
    lock_ = HF_TRY(locks->open(command_.id));
    answer_.label = lock_->label();
    answer_.outcome = HF_TRY(lock_->acquire(command_.request));
    return {};
  }

  Result<> warn_of_file_system(const lock::LocalBackend& locks) {
    const lock::Place place = HF_TRY(locks.place_of(command_.id));
    if (place.trusted) return {};
    context_.warn("the lock lies on " + place.file_system +
                  ": it holds on this machine at most, and other machines may get it too");
    return {};
  }

  void under_lock() {
    answer_.grant = lock_->grant();
    const std::string note = grant_note(answer_.label, *answer_.outcome);
    if (!note.empty()) context_.note(note);
    const LockEnvironment environment = environment_under(*lock_, command_.request.chain, clock_);
    // One that was entered again is another's to record, renew and release.
    if (answer_.outcome->kind == LockCommandKind::kReentered) {
      supervise::Attendant nobody;
      note_run(run_command(environment, nobody, false));
      // The outer hold may have ended before this command did.
      const auto held = lock_->check();
      if (held && *held == lock::Owned::kLost) answer_.lost = "outer";
      const auto released = lock_->release();
      static_cast<void>(released);  // of this seat alone: nothing happens
      return;
    }
    LockAttendant attendant(context_, clock_, *lock_, runtime_.events(), command_.on_lost);
    note_run(run_command(environment, attendant, command_.request.ttl.has_value()));
    attendant.tell();
    answer_.lost = attendant.lost();
    give_back();
    flush_events(context_);
  }

  Result<supervise::RunReport> run_command(const LockEnvironment& environment,
                                           supervise::Attendant& attendant, bool lease) {
    std::vector<os::NativeHandle> inherit;
    const bool holds = answer_.grant && answer_.outcome->kind == LockCommandKind::kGranted;
    if (holds && lock_->life() != os::HandleTraits::nothing()) inherit.push_back(lock_->life());
    if (!lease && !command_.wait_descendants && !budget()) {
      return supervise::run_wrapped(clock_,
                                    {.argv = command_.argv,
                                     .stdout_to = command_.stdout_to,
                                     .environment = environment.added,
                                     .environment_without = environment.removed,
                                     .inherit = std::move(inherit)},
                                    attendant);
    }
    std::vector<os::NativeHandle> not_for_shim;
    if (lock_->not_for_children() != os::HandleTraits::nothing())
      not_for_shim.push_back(lock_->not_for_children());
    const supervise::TreeRequest tree{.commands = {command_.argv},
                                      .stdout_to = command_.stdout_to,
                                      .environment = environment.added,
                                      .environment_without = environment.removed,
                                      .inherit = std::move(inherit),
                                      .leftovers = command_.wait_descendants
                                                       ? supervise::Leftovers::kWait
                                                       : supervise::Leftovers::kLeave,
                                      .not_for_shim = std::move(not_for_shim),
                                      .grace = command_.grace};
    return to_run_report(HF_TRY(supervise::run_tree(clock_, tree, {}, &attendant)).report);
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
      context_.warn("the lock was given back, but that could not be recorded: " +
                    to_sentence(released.error()));
    } else if (*released == lock::Owned::kLeft) {
      context_.warn("the lock '" + answer_.label +
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
    if (!reason || !command_.fail_open.contains(*reason)) return;
    if (auto recorded = record_opening(*reason); !recorded) {
      answer_.error->detail +=
          "; and it does not run without the lock either, because that could "
          "not be recorded: " +
          to_sentence(recorded.error());
      return;
    }
    answer_.open_reason = *reason;
    context_.warn("the command runs WITHOUT the lock '" + answer_.label + "' (" +
                  std::string(*reason) + "), as --fail-open allows; this is on record");
    answer_.error.reset();
    supervise::Attendant nobody;
    note_run(run_command(environment_without(command_.request.chain, lock_.get()), nobody, false));
  }

  Result<> record_opening(std::string_view reason) {
    FailOpenFacts facts{.lock = answer_.label, .reason = reason};
    if (answer_.outcome) {
      facts.waited = answer_.outcome->waited;
      facts.holder = &answer_.outcome->holder;
    }
    return record_fail_open(runtime_.events(), facts);
  }

  Context& context_;
  runtime::Runtime& runtime_;
  const Clock& clock_;
  const LockCommand& command_;
  std::unique_ptr<lock::Lock> lock_;
  LockAnswer answer_;
};

}  // namespace

LockAnswer run_under_lock(Context& context, const LockCommand& command) {
  return UnderLock(context, command).run();
}

}  // namespace holdfast::cli
