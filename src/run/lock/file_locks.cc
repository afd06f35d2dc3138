// SPDX-License-Identifier: Apache-2.0
#include "run/lock/file_locks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/cause.h"
#include "base/units.h"
#include "lock/grant/chain_gate.h"
#include "lock/grant/local_lock.h"
#include "lock/ledger/exclusion_trial.h"
#include "lock/ledger/place.h"
#include "os/path/path.h"
#include "os/spawn/env.h"
#include "run/lock/lock_environment.h"
#include "run/lock/lock_text.h"

namespace holdfast::run {
namespace {

using FileLockKind = lock::AcquireOutcome::Kind;

Error busy(const std::string& path, const lock::AcquireOutcome& outcome, Duration wait) {
  const bool cycle = outcome.kind == FileLockKind::kDeadlock;
  return {.code = ErrorCode::kBusy,
          .op = "lock",
          .subject = path,
          .cause = cycle                                   ? "deadlock"
                   : outcome.busy_reason == cause::kBudget ? "budget"
                                                           : "file-busy",
          .detail = cycle ? outcome.detail + "; nothing was changed"
                          : "held by " + holder_text(outcome.holder) + ", and " +
                                format_duration(std::min(wait, outcome.waited)) +
                                " of waiting were not enough; nothing was changed"};
}

// The same directory, for who keeps it open by himself.
Result<file::Target> opened_again(const file::Target& target) {
  os::Dir dir = HF_TRY(os::Dir::open(HF_TRY(os::real_path_of(target.dir))));
  if (HF_TRY(dir.info()).id == HF_TRY(target.dir.info()).id) {
    return file::Target{.dir = std::move(dir), .name = target.name, .path = target.path};
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "lock",
               .subject = target.path,
               .cause = cause::kChangedMeanwhile,
               .detail = "somebody moved its directory in between; nothing was changed"});
}

// Could anybody but the caller hold it? Not if there is none; and whoever was let go on without
// this very lock (`lock --fail-open`), on record, is not stopped by it here.
bool counts(const file::Target& target) {
  if (!lock::has_lock(target)) return false;
  const auto without = os::env("HOLDFAST_WITHOUT");
  if (!without) return true;
  const auto place = lock::file_place_label(target);
  return !place || *place != *without;
}

struct NameToLock {
  os::FileId directory;
  file::Target target;
};

Result<NameToLock> name_to_lock(file::Target target) {
  const os::FileId directory = HF_TRY(target.dir.info()).id;
  return NameToLock{.directory = directory, .target = std::move(target)};
}

// The other name of the file, where `path` led to it by a link.
Result<std::optional<file::Target>> link_to(const file::Target& target, const std::string& path,
                                            file::Links links) {
  if (links != file::Links::kFollow) return std::nullopt;
  file::Target named = HF_TRY(file::locate_name(path));
  const bool same =
      named.name == target.name && HF_TRY(named.dir.info()).id == HF_TRY(target.dir.info()).id;
  if (same) return std::nullopt;
  return named;
}

class LockIfThere final : public file::EditLock {
 public:
  LockIfThere(runtime::Runtime& runtime, FileLocks::Request request)
      : runtime_(runtime), request_(std::move(request)) {}

  Result<std::unique_ptr<Hold>> take(const file::Target& target) override {
    return HF_TRY(FileLocks::take(runtime_, of(target), target, FileLocks::Absent::kLeave));
  }

  [[nodiscard]] bool exists(const file::Target& target) const override {
    if (counts(target)) return true;
    const FileLocks::Request request = of(target);
    const auto link = link_to(target, request.path, request.links);
    return !link || (*link && counts(**link));
  }

 private:
  [[nodiscard]] FileLocks::Request of(const file::Target& target) const {
    FileLocks::Request request = request_;
    if (request.path.empty()) request.path = target.path;
    return request;
  }

  runtime::Runtime& runtime_;
  FileLocks::Request request_;
};

// "Not there" must not look like "there is no such file".
Error for_lack_of_home(Error error) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kConfig;
  error.detail += "; the lock of a file needs the home, and nothing was changed";
  return error;
}

}  // namespace

Result<std::unique_ptr<FileLock>> FileLock::take(runtime::Runtime& runtime, file::Target target,
                                                 Request request) {
  const std::string path = target.path;
  auto taken = std::unique_ptr<FileLock>(new FileLock(request.chain, runtime));
  const auto locks = runtime.locks(request.any);
  if (!locks) return fail(for_lack_of_home(locks.error()));
  lock::Place place = HF_TRY(lock::file_place(std::move(target), request.any));
  if (!place.trusted) HF_TRY(lock::try_exclusion(place));
  taken->lock_ = std::make_unique<lock::LocalLock>(std::move(place), (*locks)->fences(),
                                                   taken->clock_, &taken->events_);
  lock::AcquireRequest asked;
  asked.wait = request.wait;
  asked.chain = std::move(request.chain);
  asked.command = std::move(request.command);
  const lock::AcquireOutcome outcome = HF_TRY(taken->lock_->acquire(asked));
  if (!outcome.granted()) return fail(busy(path, outcome, request.wait));
  const ChainEntry own = taken->lock_->chain_entry();
  const bool known = std::ranges::any_of(taken->chain_, [&](const ChainEntry& entry) {
    return entry.ledger == own.ledger && entry.token == own.token;  // its fence may not be known
  });
  if (!known) taken->chain_.push_back(own);
  return taken;
}

std::vector<std::string> FileLock::environment() const {
  return environment_under(*lock_, chain_, clock_).added;
}

Result<std::unique_ptr<FileLocks>> FileLocks::take(runtime::Runtime& runtime,
                                                   const Request& request,
                                                   const file::Target& target, Absent absent) {
  std::vector<NameToLock> names;
  if (absent == Absent::kMake || counts(target)) {
    names.push_back(HF_TRY(name_to_lock(HF_TRY(opened_again(target)))));
  }
  if (auto link = HF_TRY(link_to(target, request.path, request.links))) {
    if (counts(*link)) names.push_back(HF_TRY(name_to_lock(*std::move(link))));
  }
  if (names.empty()) return nullptr;
  std::ranges::sort(names, {}, [](const NameToLock& name) {
    return std::pair(name.directory, name.target.name.str());
  });
  auto taken = std::make_unique<FileLocks>();
  FileLock::Request next = request.lock;
  for (NameToLock& name : names) {
    taken->locks_.push_back(HF_TRY(FileLock::take(runtime, std::move(name.target), next)));
    next.chain = taken->locks_.back()->chain();
  }
  return taken;
}

std::shared_ptr<CommitGate> FileLocks::gate() const {
  return lock::gate_of(locks_.back()->chain());
}

std::vector<std::string> FileLocks::environment() const { return locks_.back()->environment(); }

std::shared_ptr<file::EditLock> edit_lock(runtime::Runtime& runtime, FileLocks::Request request) {
  return std::make_shared<LockIfThere>(runtime, std::move(request));
}

}  // namespace holdfast::run
