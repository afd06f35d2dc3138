// SPDX-License-Identifier: Apache-2.0
//
// CommitLock: the directory's flock of rule F1, held around the moment in which a file of it is
// replaced. Every commit of holdfast in one directory excludes the others; nothing is created for
// it, and the kernel gives it back when the holder dies.
//
// Errors: kBusy `directory-busy`, naming the holder as far as the kernel knows it.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "os/dir.h"
#include "os/dir_lock.h"

namespace holdfast::file {

class CommitLock {
 public:
  static Result<CommitLock> take(const os::Dir& dir, Duration wait);

 private:
  explicit CommitLock(os::DirLock lock) : lock_(std::move(lock)) {}

  os::DirLock lock_;
};

}  // namespace holdfast::file
