// SPDX-License-Identifier: Apache-2.0
//
// CommitLock: the lock of a directory (rule F1), held around the moment in which a file of it is
// replaced. Every commit of holdfast in one directory excludes the others, and the kernel gives the
// lock back when the holder dies.
//
// Linux: flock on `.hf-stage-lock` in the directory, which only those who may write to the
// directory can open; a flock on the directory itself could be held for ever by anybody who may
// read it. The file is there only while somebody holds the lock or waits for it; a crash leaves it,
// and the next holder, or `doctor --sweep`, removes it. docs/design/007 has the interleavings.
// Windows: os/lock/dir_lock.h.
//
// Errors: kBusy `directory-busy`, naming the holder as far as the kernel knows it, `budget`; what
// creating a file there answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::file {

class CommitLock {
 public:
  // `dir` must outlive the lock.
  static Result<CommitLock> take(const os::Dir& dir, Duration wait);

  // What is held, as the platform does it.
  class Held {
   public:
    Held() = default;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    Held(Held&&) = delete;
    Held& operator=(Held&&) = delete;
    virtual ~Held() = default;
  };

 private:
  explicit CommitLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}

  std::unique_ptr<Held> held_;
};

// Null: somebody had it for all of `wait`, and `holder` says who.
Result<std::unique_ptr<CommitLock::Held>> hold_directory(const os::Dir& dir, Duration wait,
                                                         std::string& holder);

// Clearing away what a crash in the middle of a commit left: files called `.hf-stage-<id>`.
//
// A stage is removed only if it has exactly such a name, is an ordinary file of the caller's own
// with no other name (or an empty directory of his own, which `ensure` left), was last changed in
// any way more than kStageAge ago, is not locked by a writer that still fills it, and no commit is
// going on in the directory (whose lock is held meanwhile; not for looking). Anything else is left.
// The time of the change counts, not that of the content: a displaced file is as old as its
// content.
//
// Errors: kBusy `directory-busy`; those of listing. What cannot be removed is counted as left.
inline constexpr Duration kStageAge = std::chrono::hours(1);

struct StageCount {
  std::uint64_t old = 0;      // left over, and safe to remove
  std::uint64_t removed = 0;  // of them
};

// Looks only.
Result<StageCount> count_stages(const os::Dir& dir, WallTime now);
Result<StageCount> sweep_stages(const os::Dir& dir, WallTime now, Duration wait);

}  // namespace holdfast::file
