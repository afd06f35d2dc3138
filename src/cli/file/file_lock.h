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
//   const auto locks = HF_TRY(FileLocks::take(context, request, target, Absent::kMake));
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
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "file/replace/edit_lock.h"
#include "file/replace/replace.h"
#include "file/replace/target.h"
#include "format/lock/lock_chain.h"
#include "lock/grant/backend.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

// The locks that a change of a file must not outlive: those of HOLDFAST_CHAIN, as `holdfast lock`
// sets it, and the file's own if --token shows its token, or HOLDFAST_TOKEN with a HOLDFAST_LOCK
// that names this very file.
inline constexpr OptionSpec kFenceTokenOption{
    .name = "token",
    .kind = OptionKind::kText,
    .value = "TOKEN",
    .help =
        "change the file only while this token, which `acquire --file PATH` printed, holds its "
        "lock; `@FILE` reads it from a file. Without it, HOLDFAST_TOKEN if HOLDFAST_LOCK names "
        "the file. Locks of HOLDFAST_CHAIN are always checked"};

// The same as a gate; null where there is nothing to check.
Result<std::shared_ptr<CommitGate>> gate_of(const Args& args, const std::string& path);
// Of HOLDFAST_CHAIN alone.
Result<std::shared_ptr<CommitGate>> gate_of_environment();

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
  static Result<std::unique_ptr<FileLocks>> take(Context& context, const Request& request,
                                                 const file::Target& target, Absent absent);

  [[nodiscard]] std::shared_ptr<CommitGate> gate() const override;
  // For a command that runs under them.
  [[nodiscard]] std::vector<std::string> environment() const;

 private:
  std::vector<std::unique_ptr<FileLock>> locks_;
};

// Of a command with PATH and kFenceTokenOption; `command` is its name. Errors: of fence_of.
Result<FileLocks::Request> file_locks_for(const Args& args, std::string_view command,
                                          const file::ReplaceOptions& options);

// For whoever replaces files: the locks are taken if they are there (rule F1a). `context` must
// outlive it. Without a path in the request, that of each target counts.
std::shared_ptr<file::EditLock> edit_lock(Context& context, FileLocks::Request request);

}  // namespace holdfast::cli
