// SPDX-License-Identifier: Apache-2.0
//
// DirWatch: wakes a poll when something happens to the names in a directory or to the content of
// the files in it.
//
// It only wakes. Whoever is woken looks for itself: events may be joined, may be about files that
// nobody asked for, and are lost where there are too many (then one more wakes it). What was
// changed before open() is not told, so the sequence is
//
//   open → look → wait for handle() → drain → look → …
//
// Limits: what is changed through another machine's mount of a network file system is not told.
// Errors: kOsRefused: no watches are left for this user (`emfile`, `enospc`), or the kernel or a
// filter lacks them (`enosys`), or there is no /proc (`enoent`): the directory is watched by its
// handle, never by a path that may lead elsewhere by now. Platform: Linux only.
#pragma once

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/sys/handle.h"

namespace holdfast::os {

class DirWatch {
 public:
  static Result<DirWatch> open(const Dir& dir);

  // Readable once something has happened.
  [[nodiscard]] const Handle& handle() const { return handle_; }
  // Makes the handle unreadable until the next event.
  [[nodiscard]] Result<> drain();

 private:
  explicit DirWatch(Handle handle) : handle_(std::move(handle)) {}

  Handle handle_;
};

}  // namespace holdfast::os
