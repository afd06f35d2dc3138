// SPDX-License-Identifier: Apache-2.0
#include "cli/file_lock.h"

#include <algorithm>

#include "base/duration.h"
#include "cli/commit_fence.h"
#include "cli/lock_environment.h"
#include "cli/lock_view.h"
#include "lock/chain_gate.h"
#include "lock/exclusion_trial.h"

namespace holdfast::cli {
namespace {

using FileLockKind = lock::AcquireOutcome::Kind;

Error busy(const std::string& path, const lock::AcquireOutcome& outcome, Duration wait) {
  const bool cycle = outcome.kind == FileLockKind::kDeadlock;
  return {.code = ErrorCode::kBusy,
          .op = "lock",
          .subject = path,
          .cause = cycle                             ? "deadlock"
                   : outcome.busy_reason == "budget" ? "budget"
                                                     : "file-busy",
          .detail = cycle ? outcome.detail + "; nothing was changed"
                          : "held by " + holder_text(outcome.holder) + ", and " +
                                format_duration(std::min(wait, outcome.waited)) +
                                " of waiting were not enough; nothing was changed"};
}

// "Not there" must not look like "there is no such file".
Error for_lack_of_home(Error error) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kConfig;
  error.detail += "; the lock of a file needs the home, and nothing was changed";
  return error;
}

}  // namespace

Result<std::unique_ptr<FileLock>> FileLock::take(Context& context, file::Target target,
                                                 Request request) {
  const std::string path = target.path;
  auto taken = std::unique_ptr<FileLock>(new FileLock(request.chain));
  auto home = LockHome::open(context, taken->clock_, request.any);
  if (!home) return fail(for_lack_of_home(home.error()));
  taken->home_ = std::move(*home);
  lock::Place place = HF_TRY(lock::file_place(std::move(target), request.any));
  if (!place.trusted) HF_TRY(lock::try_exclusion(place));
  taken->lock_ = std::make_unique<lock::LocalLock>(
      std::move(place), taken->home_->backend().fences(), taken->clock_, &taken->home_->events());
  lock::AcquireRequest asked;
  asked.wait = request.wait;
  asked.chain = std::move(request.chain);
  asked.command = std::move(request.command);
  const lock::AcquireOutcome outcome = HF_TRY(taken->lock_->acquire(asked));
  if (!outcome.granted()) return fail(busy(path, outcome, request.wait));
  const ChainEntry own = taken->lock_->chain_entry();
  if (std::ranges::find(taken->chain_, own) == taken->chain_.end()) taken->chain_.push_back(own);
  return taken;
}

Result<std::unique_ptr<FileLock>> FileLock::take_for(Context& context, const Args& args,
                                                     file::Target target, Duration wait) {
  const std::string& path = args.arguments().front();
  Request request{.wait = wait, .any = any_file_system(args), .command = "holdfast update " + path};
  request.chain = HF_TRY(fence_of(args, path));
  return take(context, std::move(target), std::move(request));
}

std::shared_ptr<CommitGate> FileLock::gate() const { return lock::gate_of(chain_); }

std::vector<std::string> FileLock::environment() const {
  return environment_under(*lock_, chain_, clock_).added;
}

}  // namespace holdfast::cli
