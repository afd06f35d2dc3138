// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/groups.h"

#include "proc/tree/cgroup.h"
#include "proc/tree/cgroup_place.h"
#include "proc/tree/limits.h"

namespace holdfast::run {
namespace {

Result<> remove_named(const SessionCgroup& group, const Id128& run) {
  const auto tree = HF_TRY(proc::CgroupTree::open(group, run));
  if (tree) HF_TRY(tree->remove());
  return {};
}

Result<> remove_by_run(const Id128& run) {
  const proc::OwnCgroups own = HF_TRY(proc::OwnCgroups::read());
  const proc::CgroupPlace place = HF_TRY(own.v2());
  HF_TRY(proc::remove_cgroup(place.dir, HF_TRY(os::SafeName::make(proc::cgroup_name(run)))));
  return {};
}

}  // namespace

void remove_groups_of(const SessionRecord& record) {
  if (record.cgroup) {
    static_cast<void>(remove_named(*record.cgroup, record.run));
  } else if (!is_final(record.state)) {
    static_cast<void>(remove_by_run(record.run));
  }
  const SessionOrder& order = record.order;
  const bool limited = order.memory || order.pids || order.cpu_percent;
  if (limited && !is_final(record.state))
    static_cast<void>(proc::Limits::remove_left_behind(record.run));
}

}  // namespace holdfast::run
