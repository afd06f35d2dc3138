// SPDX-License-Identifier: Apache-2.0
#include "cli/process/kill_group.h"

#include "os/machine/real_clock.h"
#include "os/watch/poll.h"
#include "proc/tree/cgroup.h"

namespace holdfast::cli {
namespace {

class GroupKiller final : public proc::TreeKiller {
 public:
  explicit GroupKiller(proc::CgroupTree group) : group_(std::move(group)) {}

  Result<> kill_all() override {
    HF_TRY(group_.kill());
    return {};
  }

  Result<bool> proven_empty(Duration limit) override {
    const os::RealClock clock;
    const MonoTime until = clock.mono() + limit;
    for (;;) {
      if (!HF_TRY(group_.populated())) return true;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock.mono());
      if (left <= std::chrono::milliseconds::zero()) return false;
      HF_TRY(os::wait_readable({&group_.changes()}, left));
    }
  }

 private:
  proc::CgroupTree group_;
};

}  // namespace

Result<std::unique_ptr<proc::TreeKiller>> group_of_session(const SessionRecord& record) {
  std::unique_ptr<proc::TreeKiller> none;
  if (!record.cgroup) return none;
  auto group = HF_TRY(proc::CgroupTree::open(*record.cgroup, record.run));
  if (!group) return none;
  return std::make_unique<GroupKiller>(std::move(*group));
}

}  // namespace holdfast::cli
