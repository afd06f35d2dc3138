// SPDX-License-Identifier: Apache-2.0
#include "cli/file/file_lock.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/cause.h"
#include "base/units.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_by_token.h"
#include "cli/lock/lock_options.h"
#include "cli/lock/lock_view.h"
#include "lock/grant/chain_gate.h"
#include "lock/ledger/exclusion_trial.h"
#include "lock/ledger/place.h"
#include "os/path/path.h"
#include "os/spawn/env.h"
#include "run/lock/lock_environment.h"
#include "run/lock/lock_text.h"

namespace holdfast::cli {
namespace {

bool names_a_file(const std::optional<std::string>& lock) {
  return lock && lock->starts_with("file:");
}

// From HOLDFAST_CHAIN, and from kFenceTokenOption or the environment about the lock of `path`.
// Errors: kCorrupt `bad-chain`, kCannotTell `newer-version`; kUsage `bad-token`; of lock/ledger/place.h.
Result<LockChain> fence_of(const Args& args, const std::string& path) {
  LockChain chain = HF_TRY(run::chain_of_environment());
  const auto typed = args.text("token");
  if (typed == "-") {
    return bad_value("token", *typed, "standard input is for the content; use @FILE");
  }
  if (!typed && !names_a_file(os::env("HOLDFAST_LOCK"))) return chain;
  const lock::Place place = HF_TRY(lock::file_place(path, lock::AnyFileSystem::kAllow));
  ChainEntry own;
  own.kind = ChainEntry::Kind::kFile;
  own.ledger = place.ledger_path;
  if (typed) {
    own.token = HF_TRY(typed_token(*typed));
  } else {
    const auto token = HF_TRY(token_of_environment(place.label));
    if (!token) return chain;
    own.token = *token;
    const bool known = std::ranges::any_of(chain, [&](const ChainEntry& entry) {
      return entry.ledger == own.ledger && entry.token == own.token;
    });
    if (known) return chain;
  }
  chain.push_back(std::move(own));
  return chain;
}

}  // namespace

Result<std::shared_ptr<CommitGate>> gate_of(const Args& args, const std::string& path) {
  return lock::gate_of(HF_TRY(fence_of(args, path)));
}

Result<std::shared_ptr<CommitGate>> gate_of_environment() {
  return lock::gate_of(HF_TRY(run::chain_of_environment()));
}

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
                          : "held by " + run::holder_text(outcome.holder) + ", and " +
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
  LockIfThere(Context& context, FileLocks::Request request)
      : context_(context), request_(std::move(request)) {}

  Result<std::unique_ptr<Hold>> take(const file::Target& target) override {
    return HF_TRY(FileLocks::take(context_, of(target), target, FileLocks::Absent::kLeave));
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

  Context& context_;
  FileLocks::Request request_;
};

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
  auto taken = std::unique_ptr<FileLock>(new FileLock(request.chain, context.runtime()));
  const auto locks = context.runtime().locks(request.any);
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
  return run::environment_under(*lock_, chain_, clock_).added;
}

Result<std::unique_ptr<FileLocks>> FileLocks::take(Context& context, const Request& request,
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
    taken->locks_.push_back(HF_TRY(FileLock::take(context, std::move(name.target), next)));
    next.chain = taken->locks_.back()->chain();
  }
  return taken;
}

std::shared_ptr<CommitGate> FileLocks::gate() const {
  return lock::gate_of(locks_.back()->chain());
}

std::vector<std::string> FileLocks::environment() const { return locks_.back()->environment(); }

Result<FileLocks::Request> file_locks_for(const Args& args, std::string_view command,
                                          const file::ReplaceOptions& options) {
  const std::string& path = args.arguments().front();
  FileLocks::Request request{.path = path, .links = options.links};
  request.lock.wait = options.wait;
  request.lock.any = lock::AnyFileSystem::kAllow;  // a lock that is there is better than none
  request.lock.chain = HF_TRY(fence_of(args, path));
  request.lock.command = "holdfast " + std::string(command) + " " + path;
  return request;
}

std::shared_ptr<file::EditLock> edit_lock(Context& context, FileLocks::Request request) {
  return std::make_shared<LockIfThere>(context, std::move(request));
}

}  // namespace holdfast::cli
