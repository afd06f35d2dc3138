// SPDX-License-Identifier: Apache-2.0
#include "file/commit_lock.h"

#include <string>

#include "base/budget.h"
#include "base/duration.h"
#include "os/lock_holder.h"
#include "os/real_clock.h"

namespace holdfast::file {
namespace {

std::string name_of_holder(const os::Dir& dir) {
  const auto info = dir.info();
  if (!info) return "another process holds it";
  // Nobody in the kernel's list does not mean that nobody holds it: file systems with numbers of
  // their own (btrfs, overlayfs) and pid namespaces hide the entry.
  const auto holder = os::flock_holder(info->id);
  if (!holder || !*holder) return "another process holds it";
  if (!(*holder)->pid) return "a process of another pid namespace holds it";
  return "process " + std::to_string(os::number(*(*holder)->pid)) + " holds it";
}

}  // namespace

Result<CommitLock> CommitLock::take(const os::Dir& dir, Duration wait) {
  os::DirLock lock = HF_TRY(os::DirLock::open(dir));
  const Allowed allowed = within_budget(wait, os::RealClock().mono());
  wait = allowed.time.value_or(wait);
  if (HF_TRY(lock.lock(wait))) return CommitLock(std::move(lock));
  return fail({.code = ErrorCode::kBusy,
               .op = "lock the directory",
               .subject = dir.path(),
               .cause = allowed.by_budget ? "budget" : "directory-busy",
               .detail = name_of_holder(dir) + ", and " + format_duration(wait) +
                         " of waiting were not enough; nothing was changed"});
}

}  // namespace holdfast::file
