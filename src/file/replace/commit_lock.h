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

}  // namespace holdfast::file
