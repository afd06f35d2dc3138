// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: one thread changes the table while another forks. The child would have
// the mutex of a thread that is not there. So a fork waits for the mutex and lets go of it on both
// sides. In the child nothing but fstat and close is called.
#include <pthread.h>

#include <mutex>

#include "os/process/fork_shut.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

struct ForkShutTable {
  std::mutex mutex;
  ForkShut* first = nullptr;
  bool installed = false;

  // Never destroyed: a fork may come later than the end of main.
  static ForkShutTable& one() {
    static ForkShutTable* const table = new ForkShutTable;
    return *table;
  }

  static void before_fork() { one().mutex.lock(); }
  static void in_parent() { one().mutex.unlock(); }
  static void in_child() {
    ForkShutTable& table = one();
    for (ForkShut* each = table.first; each != nullptr; each = each->next_) {
      for (ForkShut::Watched& one : each->watched_) {
        shut(one);
        one = {};
      }
    }
    table.mutex.unlock();
  }

  static void shut(const ForkShut::Watched& one) {
    struct stat info{};
    if (one.handle == HandleTraits::nothing()) return;
    const int fd = static_cast<int>(one.handle);
    if (sys().fstat(fd, &info) != 0 || info.st_dev != one.device || info.st_ino != one.file) return;
    sys().close(fd);
  }

  void remove(ForkShut* gone) {
    for (ForkShut** at = &first; *at != nullptr; at = &(*at)->next_) {
      if (*at != gone) continue;
      *at = gone->next_;
      return;
    }
  }
};

ForkShut::~ForkShut() {
  if (!listed_) return;
  ForkShutTable& table = ForkShutTable::one();
  const std::scoped_lock held(table.mutex);
  table.remove(this);
}

Result<> ForkShut::watch(std::span<const NativeHandle> handles) {
  std::array<Watched, kMost> now{};
  std::size_t count = 0;
  for (const NativeHandle handle : handles) {
    bool known = handle == HandleTraits::nothing();
    for (const Watched& one : now) known = known || one.handle == handle;
    if (known || count == kMost) continue;
    struct stat info{};
    if (sys().fstat(static_cast<int>(handle), &info) != 0)
      return fail(last_os_error("look at", "the file of a lock"));
    now.at(count++) = {.handle = handle, .device = info.st_dev, .file = info.st_ino};
  }
  ForkShutTable& table = ForkShutTable::one();
  const std::scoped_lock held(table.mutex);
  if (!table.installed) {
    const int failed = pthread_atfork(ForkShutTable::before_fork, ForkShutTable::in_parent,
                                      ForkShutTable::in_child);
    if (failed != 0) return fail(os_error("prepare for", "a fork", failed));
    table.installed = true;
  }
  watched_ = now;
  if (!listed_) {
    next_ = table.first;
    table.first = this;
    listed_ = true;
  }
  return {};
}

}  // namespace holdfast::os
