// SPDX-License-Identifier: Apache-2.0
#include "os/process/pid.h"

#include <sys/mman.h>

#include <atomic>
#include <limits>

#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

using Word = std::atomic<std::int64_t>;

// Null where there is no page that a fork empties. It is never given back.
Word* wiped_on_fork() {
  constexpr std::size_t kBytes = 4096;
  void* const page =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (madvise(page, kBytes, MADV_WIPEONFORK) != 0) {
    munmap(page, kBytes);
    return nullptr;
  }
  return static_cast<Word*>(page);
}

// Not the number alone: two processes of two pid namespaces may both be 1.
std::int64_t new_mark() {
  std::int64_t mark = 0;
  if (sys().getrandom(&mark, sizeof mark, 0) != sizeof mark) mark = 0;
  mark &= std::numeric_limits<std::int64_t>::max();
  return mark != 0 ? mark : sys().getpid();
}

}  // namespace

std::int64_t process_mark() {
  static Word* const kept = wiped_on_fork();
  if (kept == nullptr) return sys().getpid();
  const std::int64_t known = kept->load(std::memory_order_relaxed);
  if (known != 0) return known;
  const std::int64_t mark = new_mark();
  kept->store(mark, std::memory_order_relaxed);
  return mark;
}

}  // namespace holdfast::os
