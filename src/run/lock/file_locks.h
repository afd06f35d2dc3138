// SPDX-License-Identifier: Apache-2.0
//
// FileLock: the lock of one file, held while new content is made from the old or put in its place:
// that of `holdfast lock --file`. Programs that flock `.NAME.lock` are excluded too, `holdfast locks
// --file` shows it, and under a lock that the chain of this process has already it is entered
// again.
//
// FileLocks: the same for a file that was found by a path: where a link was followed, others know
// the file by the link's name and lock that one, so both are taken, in an order that all keep.
//
//   const auto locks = HF_TRY(FileLocks::take(runtime, request, target, Absent::kMake));
//   options.gate = locks->gate();      // the commit is fenced by them as well
//   …                                  // released at the end
//
// It needs the home, whose mark keeps fences from ever going back. What it does with a free lock is
// not put on record (the change of the file is); a recovery from a dead holder is.
//
// Errors: kBusy `file-busy`, naming the holder, and `deadlock`; of the home; of lock/grant/backend.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/commit_gate.h"
#include "base/result.h"
#include "file/replace/edit_lock.h"
#include "file/replace/target.h"
#include "format/lock/lock_chain.h"
#include "lock/grant/backend.h"
#include "lock/ledger/place.h"
#include "runtime/runtime.h"

namespace holdfast::run {

class FileLock {
 public:
  struct Request {
    Duration wait{};
    LockChain chain{};  // what must hold besides; re-entry is by it
    lock::AnyFileSystem any = lock::AnyFileSystem::kRefuse;
    std::string command{};
  };
  // The lock lies beside the target as it was found: in no directory that a link leads to since.
  static Result<std::unique_ptr<FileLock>> take(runtime::Runtime& runtime, file::Target target,
                                                Request request);

  // What a change must pass: this lock, and those of the request.
  [[nodiscard]] const LockChain& chain() const { return chain_; }
  // For a command that runs under it (run/lock/lock_environment.h).
  [[nodiscard]] std::vector<std::string> environment() const;

 private:
  FileLock(LockChain chain, runtime::Runtime& runtime)
      : clock_(runtime.clock()), chain_(std::move(chain)), events_(runtime.own_events()) {}

  const Clock& clock_;
  LockChain chain_;                   // with the lock itself, once it is held
  runtime::BufferedEvents events_;    // never flushed: what comes of a free lock is not recorded
  std::unique_ptr<lock::Lock> lock_;  // goes first
};

class FileLocks final : public file::EditLock::Hold {
 public:
  struct Request {
    std::string path;                          // as it was typed
    file::Links links = file::Links::kRefuse;  // what was done about links in it
    FileLock::Request lock{};
  };
  // kLeave: a lock that is not there is not made, because nobody can hold it; if none is there, the
  // answer is null. kMake makes that of the file itself.
  enum class Absent : std::uint8_t { kLeave, kMake };
  static Result<std::unique_ptr<FileLocks>> take(runtime::Runtime& runtime, const Request& request,
                                                 const file::Target& target, Absent absent);

  [[nodiscard]] std::shared_ptr<CommitGate> gate() const override;
  // For a command that runs under them.
  [[nodiscard]] std::vector<std::string> environment() const;

 private:
  std::vector<std::unique_ptr<FileLock>> locks_;
};

// For whoever replaces files: the locks are taken if they are there (rule F1a). `runtime` must
// outlive it. Without a path in the request, that of each target counts.
std::shared_ptr<file::EditLock> edit_lock(runtime::Runtime& runtime, FileLocks::Request request);

}  // namespace holdfast::run
