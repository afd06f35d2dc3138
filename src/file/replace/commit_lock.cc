// SPDX-License-Identifier: Apache-2.0
#include "file/replace/commit_lock.h"

#include <functional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/cause.h"
#include "base/units.h"
#include "os/file/metadata.h"
#include "os/file/staged_file.h"
#include "os/lock/dir_lock.h"
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
               .cause = allowed.by_budget ? cause::kBudget : "directory-busy",
               .detail = holder + " holds it, and " + format_duration(wait) +
                         " of waiting were not enough; nothing was changed"});
}

namespace {

bool is_old(const os::FileInfo& info, WallTime now) { return now - info.changed >= kStageAge; }

// Whether it was left over. Its lock, where it could be had, is given back: under the directory's
// lock nobody begins to fill a stage that has a name already.
bool is_left_over(const os::Dir& dir, const os::SafeName& name, WallTime now) {
  const auto file = dir.open_file(name, os::Access::kRead);
  if (!file || !*file) return false;
  const auto info = (*file)->info();
  if (!info || info->links != 1 || !is_old(*info, now)) return false;
  const auto own = os::is_own(**file, *info);
  if (!own || !*own) return false;
  const auto locked = os::try_lock_file(**file);
  return locked && *locked;
}

bool is_left_over_dir(const os::Dir& dir, const os::SafeName& name, WallTime now) {
  const auto info = dir.info(name);
  if (!info || !*info || (*info)->type != os::FileType::kDirectory || !is_old(**info, now)) {
    return false;
  }
  const auto own = os::is_own(dir, name, **info);
  return own && *own;
}

Result<StageCount> visit_old(const os::Dir& dir, WallTime now,
                             const std::function<bool(const os::SafeName&, bool is_dir)>& visit) {
  std::vector<std::string> names;
  HF_TRY(dir.each_entry([&](std::string_view entry, os::FileType) {
    if (os::is_stage_name(entry)) names.emplace_back(entry);
    return os::Visit::kContinue;
  }));
  StageCount count;
  for (const std::string& text : names) {
    const os::SafeName name = HF_TRY(os::SafeName::make(text));
    const bool is_dir = is_left_over_dir(dir, name, now);
    if (!is_dir && !is_left_over(dir, name, now)) continue;
    ++count.old;
    if (visit(name, is_dir)) ++count.removed;
  }
  return count;
}

}  // namespace

Result<StageCount> count_stages(const os::Dir& dir, WallTime now) {
  return visit_old(dir, now, [](const os::SafeName&, bool) { return false; });
}

Result<StageCount> sweep_stages(const os::Dir& dir, WallTime now, Duration wait) {
  const CommitLock lock = HF_TRY(CommitLock::take(dir, wait));
  return visit_old(dir, now, [&](const os::SafeName& name, bool is_dir) {
    const auto removed = is_dir ? dir.remove_dir(name) : dir.remove_file(name);
    return removed && *removed == os::Removed::kRemoved;
  });
}

}  // namespace holdfast::file
