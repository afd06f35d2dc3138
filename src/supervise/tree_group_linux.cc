// SPDX-License-Identifier: Apache-2.0
#include "supervise/tree_group.h"

#include <algorithm>
#include <optional>

#include "os/machine/random.h"
#include "os/machine/real_clock.h"
#include "proc/tree/cgroup.h"
#include "proc/tree/limits.h"

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

struct TreeGroup::State {
  std::optional<proc::CgroupTree> group{};
  proc::Limits limits{};
  bool limited_by_group = false;
  bool deaf = false;  // its changes cannot be taken, so they would wake us without end
};

TreeGroup::TreeGroup() : state_(std::make_unique<State>()) {}
TreeGroup::~TreeGroup() = default;

bool TreeGroup::made() const { return state_->group.has_value() || !state_->limits.by().empty(); }

bool TreeGroup::holds_all() const { return false; }

Result<> TreeGroup::apply_limits(os::Pid child_at_its_gate) {
  return state_->limits.apply_to(child_at_its_gate);
}

const os::Handle* TreeGroup::changes() const {
  return state_->group && !state_->deaf ? &state_->group->changes() : nullptr;
}

Result<> TreeGroup::prepare(const TreeRequest& request, TreeFacts& facts) {
  const bool limited = request.limits.of_the_tree();
  const bool contained = request.contain_by_cgroup && request.leftovers != Leftovers::kLeave;
  const Id128 run = request.run ? *request.run : HF_TRY(os::random_id());
  if (contained || limited) {
    if (auto group = proc::CgroupTree::make(run)) {
      state_->group = std::move(*group);
      facts.containment = Containment::kCgroup;
      facts.cgroup = state_->group->id();
    }
  }
  if (!request.limits.any()) return {};
  auto limits =
      proc::Limits::prepare(request.limits, run, state_->group ? &*state_->group : nullptr);
  if (!limits) {
    finish(facts);
    return fail(std::move(limits).error());
  }
  state_->limits = std::move(*limits);
  facts.limits_by = state_->limits.by_text();
  state_->limited_by_group = std::ranges::any_of(
      state_->limits.by(),
      [](const proc::LimitAnswer& answer) { return answer.by == proc::LimitBy::kCgroup2; });
  return {};
}

os::NativeHandle TreeGroup::handle() const {
  return state_->group ? state_->group->handle() : os::HandleTraits::nothing();
}

Result<> TreeGroup::released() { return {}; }

bool TreeGroup::give_up(TreeFacts& facts) {
  if (!state_->group || state_->limited_by_group) return false;
  const auto removed = state_->group->remove();
  static_cast<void>(removed);  // an empty group harms nobody
  state_->group.reset();
  facts.cgroup.reset();
  return true;
}

// The question itself is what quiets changes(); who wants the answer asks again.
void TreeGroup::take_changes() {
  if (state_->group && !state_->group->populated()) state_->deaf = true;
}

TreeGroup::Left TreeGroup::look() const {
  if (!state_->group) return Left::kNobody;
  const auto populated = state_->group->populated();
  if (!populated) return Left::kCannotTell;
  if (!*populated) return Left::kNobody;
  const auto members = state_->group->members();
  if (!members) return Left::kCannotTell;
  return members->empty() ? Left::kDying : Left::kSomebody;
}

std::vector<os::Pid> TreeGroup::members() const {
  if (!state_->group) return {};
  auto members = state_->group->members();
  return members ? std::move(members->pids) : std::vector<os::Pid>();
}

std::vector<os::Pid> TreeGroup::signal(const std::vector<os::Pid>& pids,
                                       const std::vector<int>& signals) const {
  if (!state_->group || pids.empty()) return {};
  auto reached = state_->group->signal_members(
      signals, [&](os::Pid pid) { return std::ranges::binary_search(pids, pid); });
  return reached ? std::move(*reached) : std::vector<os::Pid>();
}

bool TreeGroup::kill() const {
  if (!state_->group) return false;
  const auto populated = state_->group->populated();
  if (populated && !*populated) return false;
  const auto blow = state_->group->kill();
  return blow && *blow == proc::CgroupTree::Blow::kAll && populated;
}

void TreeGroup::finish(TreeFacts& facts) {
  if (const auto killed = state_->limits.oom_kills(); killed && *killed) {
    facts.oom_killed = static_cast<std::uint32_t>(**killed);
  }
  try_to_remove([&] { return state_->limits.remove(); });
  if (state_->group) try_to_remove([&] { return state_->group->remove(); });
}

}  // namespace holdfast::supervise
