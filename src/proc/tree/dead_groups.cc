// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/dead_groups.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "os/file/metadata.h"
#include "os/lock/dir_lock.h"
#include "proc/tree/cgroup.h"
#include "proc/tree/cgroup_find.h"

namespace holdfast::proc {
namespace {

// Of a group, its lock in hand: from now on its maker is dead, and nobody else is at it.
bool remove_if_dead(const os::Dir& parent, const os::SafeName& name, const os::Dir& group) {
  const auto info = group.info();
  if (!info || info->uid != os::own_uid()) return false;
  auto lock = os::DirLock::open(group);
  if (!lock) return false;
  const auto locked = lock->lock(Duration::zero());
  if (!locked || !*locked) return false;
  const auto removed = remove_cgroup(parent, name);
  return removed && *removed == CgroupTree::Removal::kRemoved;
}

std::size_t sweep(const os::Dir& dir, int depth) {
  std::size_t removed = 0;
  std::vector<os::SafeName> below;
  const auto listed = each_group_below(dir, [&](const os::SafeName& name) -> Result<> {
    below.push_back(name);
    return {};
  });
  if (!listed) return removed;
  for (const os::SafeName& name : below) {
    const auto group = dir.open_dir(name);
    if (!group) continue;
    if (depth < kMaxGroupDepth) removed += sweep(*group, depth + 1);
    if (is_cgroup_name(name.str()) && remove_if_dead(dir, name, *group)) ++removed;
  }
  return removed;
}

}  // namespace

std::size_t remove_dead_groups(const os::Dir& top) { return sweep(top, 0); }

std::size_t remove_dead_groups() {
  const auto own = OwnCgroups::read();
  if (!own) return 0;
  const auto top = own->v2_top();
  return top ? remove_dead_groups(top->dir) : 0;
}

}  // namespace holdfast::proc
