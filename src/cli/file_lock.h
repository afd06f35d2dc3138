// SPDX-License-Identifier: Apache-2.0
//
// FileLock: the lock of one file, held while new content is made from the old: that of `holdfast
// lock --file`. Programs that flock `.NAME.lock` are excluded too, `holdfast locks --file` shows
// it, and under a lock that the chain of this process has already it is entered again.
//
//   const auto lock = HF_TRY(FileLock::take(context, std::move(target), request));
//   options.gate = lock->gate();       // the commit is fenced by it as well
//   …                                  // released at the end
//
// It needs the home, whose mark keeps fences from ever going back. What it does with a free lock is
// not put on record (the change of the file is); a recovery from a dead holder is.
//
// Errors: kBusy `file-busy`, naming the holder, and `deadlock`; of the home; of lock/backend.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/commit_gate.h"
#include "base/result.h"
#include "cli/args.h"
#include "cli/context.h"
#include "cli/lock_options.h"
#include "file/target.h"
#include "format/lock_chain.h"
#include "lock/backend.h"
#include "os/real_clock.h"

namespace holdfast::cli {

class FileLock {
 public:
  struct Request {
    Duration wait{};
    LockChain chain{};  // what must hold besides; re-entry is by it
    lock::AnyFileSystem any = lock::AnyFileSystem::kRefuse;
    std::string command{};
  };
  // The lock lies beside the target as it was found: in no directory that a link leads to since.
  static Result<std::unique_ptr<FileLock>> take(Context& context, file::Target target,
                                                Request request);

  // The same for a command with PATH, --token and --allow-fs.
  static Result<std::unique_ptr<FileLock>> take_for(Context& context, const Args& args,
                                                    file::Target target, Duration wait);

  [[nodiscard]] std::shared_ptr<CommitGate> gate() const;
  // For a command that runs under it (lock_environment.h).
  [[nodiscard]] std::vector<std::string> environment() const;

 private:
  explicit FileLock(LockChain chain) : chain_(std::move(chain)) {}

  os::RealClock clock_;
  LockChain chain_;  // with the lock itself, once it is held
  std::unique_ptr<LockHome> home_;
  std::unique_ptr<lock::Lock> lock_;  // goes first
};

}  // namespace holdfast::cli
