// SPDX-License-Identifier: Apache-2.0
//
// EditLock: the long lock of one file, held while somebody makes new content from the old: flock on
// the sidecar `.NAME.lock`, which a shell, Python or C program can take as well.
//
// Guarantee: two holders of the same file's lock, holdfast or not, exclude each other. The sidecar
// is only ever locked, never written and never removed: removing it would let two lock two inodes.
// The kernel gives it back when the holder dies. What lies at the name must be an ordinary file of
// the caller's own with no second name; its mode is what its maker's umask made it, and means
// nothing, as its content does.
//
// Limit: the waiter asks again with pauses of up to 25 ms; there is no order among waiters.
//
// Errors: kBusy `file-busy`, naming the holder; kRefused `is-link`, `not-a-regular-file`,
// `foreign-owner`, `hard-linked`; kUsage `name-too-long` where `.NAME.lock`
// does not fit.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "file/target.h"
#include "os/file.h"

namespace holdfast::file {

class EditLock {
 public:
  static Result<EditLock> take(const Target& target, Duration wait);

 private:
  explicit EditLock(os::File file) : file_(std::move(file)) {}

  os::File file_;
};

}  // namespace holdfast::file
