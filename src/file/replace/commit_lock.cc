// SPDX-License-Identifier: Apache-2.0
#include "file/replace/commit_lock.h"

#include "base/budget.h"
#include "base/units.h"
#include "os/machine/real_clock.h"

namespace holdfast::file {

Result<CommitLock> CommitLock::take(const os::Dir& dir, Duration wait) {
  const Allowed allowed = within_budget(wait, os::RealClock().mono());
  wait = allowed.time.value_or(wait);
  std::string holder;
  auto held = HF_TRY(hold_directory(dir, wait, holder));
  if (held) return CommitLock(std::move(held));
  return fail({.code = ErrorCode::kBusy,
               .op = "lock the directory",
               .subject = dir.path(),
               .cause = allowed.by_budget ? "budget" : "directory-busy",
               .detail = holder + " holds it, and " + format_duration(wait) +
                         " of waiting were not enough; nothing was changed"});
}

}  // namespace holdfast::file
