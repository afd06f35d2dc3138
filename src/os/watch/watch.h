// SPDX-License-Identifier: Apache-2.0
//
// Handles that turn readable when something has changed: in a directory, of a file, in a file of the
// kernel. They only wake (os/watch/poll.h); whoever is woken looks for itself.
//
// Errors of the first two: kOsRefused: no watches are left for this user (`emfile`, `enospc`), or
// the kernel or a filter lacks them (`enosys`), or there is no /proc (`enoent`): what is watched is
// watched by its handle, never by a path that may lead elsewhere by now.
#pragma once

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// DirWatch: wakes a poll when something happens to the names in a directory or to the content of
// the files in it.
//
// Events may be joined, may be about files that nobody asked for, and are lost where there are too
// many (then one more wakes it). What was changed before open() is not told, so the sequence is
//
//   open → look → wait for handle() → drain → look → …
//
// Limits: what is changed through another machine's mount of a network file system is not told.
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

// A handle that turns readable once a file is written to, cut, changed in its attributes, removed,
// renamed, or replaced by another under its name. It stays readable: for the next change, make
// another one.
//
// Sequence: watch, then look at the file, then wait: what changes in between is not missed.
// Windows: also when anything else in its directory changes.
Result<Handle> watch_file(const File& file);

// ChangeWatch: a handle that is readable when a file of the kernel has announced a change since it
// was last read (`cgroup.events`, `memory.events`).
//
// Such a file itself counts as readable all the time and announces changes out of band; this
// handle waits for the announcement only, so that it stands in one wait with all others.
//
// Sequence: read the file → wait for handle() → read the file, from the same open handle → …
// Limit: the file's handle must outlive it. Not inotify: its instances are few per user, and a
// thousand supervisors would use them up. Platform: Linux only.
class ChangeWatch {
 public:
  static Result<ChangeWatch> on(const Handle& file);

  [[nodiscard]] const Handle& handle() const { return handle_; }

 private:
  explicit ChangeWatch(Handle handle) : handle_(std::move(handle)) {}

  Handle handle_;
};

}  // namespace holdfast::os
