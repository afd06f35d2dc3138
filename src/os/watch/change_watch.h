// SPDX-License-Identifier: Apache-2.0
//
// ChangeWatch: a handle that is readable when a file of the kernel has announced a change since it
// was last read (`cgroup.events`, `memory.events`).
//
// Such a file itself counts as readable all the time and announces changes out of band; this
// handle waits for the announcement only, so that it stands in one wait with all others
// (os/watch/poll.h).
//
// Sequence: read the file → wait for handle() → read the file, from the same open handle → …
// Limit: the file's handle must outlive it. Not inotify: its instances are few per user, and a
// thousand supervisors would use them up.
#pragma once

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

class ChangeWatch {
 public:
  static Result<ChangeWatch> on(const Handle& file);

  [[nodiscard]] const Handle& handle() const { return handle_; }

 private:
  explicit ChangeWatch(Handle handle) : handle_(std::move(handle)) {}

  Handle handle_;
};

}  // namespace holdfast::os
