// SPDX-License-Identifier: Apache-2.0
#include "supervise/tree_group.h"

#include <algorithm>

#include "os/pause.h"
#include "os/random.h"

namespace holdfast::supervise {
namespace {

// A process that was reaped may stand in its group for a moment longer, on its way out of the
// scheduler. There is no event for that in v1.
constexpr int kRemovalTries = 20;
constexpr auto kBetweenTries = std::chrono::milliseconds(1);

template <typename Remove>
void try_to_remove(const Remove& remove) {
  for (int i = 0; i < kRemovalTries; ++i) {
    const auto removed = remove();
    if (!removed || *removed == proc::CgroupTree::Removal::kRemoved) return;
    os::pause(kBetweenTries);
  }
}

}  // namespace

Result<> TreeGroup::prepare(const TreeRequest& request, TreeFacts& facts) {
  const bool limited = request.limits.of_the_tree();
  const bool contained = request.contain_by_cgroup && request.leftovers != Leftovers::kLeave;
  const Id128 run = request.run ? *request.run : HF_TRY(os::random_id());
  if (contained || limited) {
    if (auto group = proc::CgroupTree::make(run)) {
      group_ = std::move(*group);
      facts.containment = Containment::kCgroup;
      facts.cgroup = group_->id();
    }
  }
  if (!request.limits.any()) return {};
  auto limits = proc::Limits::prepare(request.limits, run, group_ ? &*group_ : nullptr);
  if (!limits) {
    finish(facts);
    return fail(std::move(limits).error());
  }
  limits_ = std::move(*limits);
  facts.limits_by = limits_.by_text();
  limited_by_group_ = std::ranges::any_of(limits_.by(), [](const proc::LimitAnswer& answer) {
    return answer.by == proc::LimitBy::kCgroup2;
  });
  return {};
}

os::NativeHandle TreeGroup::handle() const {
  return group_ ? group_->handle() : os::HandleTraits::nothing();
}

bool TreeGroup::give_up(TreeFacts& facts) {
  if (!group_ || limited_by_group_) return false;
  const auto removed = group_->remove();
  static_cast<void>(removed);  // an empty group harms nobody
  group_.reset();
  facts.cgroup.reset();
  return true;
}

// The question itself is what quiets changes(); who wants the answer asks again.
void TreeGroup::take_changes() {
  if (group_ && !group_->populated()) deaf_ = true;
}

TreeGroup::Left TreeGroup::look() const {
  if (!group_) return Left::kNobody;
  const auto populated = group_->populated();
  if (!populated) return Left::kCannotTell;
  if (!*populated) return Left::kNobody;
  const auto members = group_->members();
  if (!members) return Left::kCannotTell;
  return members->empty() ? Left::kDying : Left::kSomebody;
}

std::vector<os::Pid> TreeGroup::members() const {
  if (!group_) return {};
  auto members = group_->members();
  return members ? std::move(members->pids) : std::vector<os::Pid>();
}

std::vector<os::Pid> TreeGroup::signal(const std::vector<os::Pid>& pids,
                                       const std::vector<int>& signals) const {
  if (!group_ || pids.empty()) return {};
  auto reached = group_->signal_members(
      signals, [&](os::Pid pid) { return std::ranges::binary_search(pids, pid); });
  return reached ? std::move(*reached) : std::vector<os::Pid>();
}

bool TreeGroup::kill() const {
  if (!group_) return false;
  const auto populated = group_->populated();
  if (populated && !*populated) return false;
  const auto blow = group_->kill();
  return blow && *blow == proc::CgroupTree::Blow::kAll && populated;
}

void TreeGroup::finish(TreeFacts& facts) {
  if (const auto killed = limits_.oom_kills(); killed && *killed) {
    facts.oom_killed = static_cast<std::uint32_t>(**killed);
  }
  try_to_remove([&] { return limits_.remove(); });
  if (group_) try_to_remove([&] { return group_->remove(); });
}

}  // namespace holdfast::supervise
