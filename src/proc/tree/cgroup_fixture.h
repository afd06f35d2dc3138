// SPDX-License-Identifier: Apache-2.0
//
// Real control groups for tests: made below the test's own, killed, waited for and removed with the
// object. Where none can be made the test says why and is skipped.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "os/machine/random.h"
#include "os/spawn/spawn.h"
#include "os/watch/poll.h"
#include "proc/identity/process_fixture.h"
#include "proc/tree/cgroup.h"

namespace holdfast::proc {

inline bool becomes_empty(const CgroupTree& tree) {
  for (;;) {
    const auto populated = tree.populated();
    if (!populated) return false;
    if (!*populated) return true;
    const auto waited = os::wait_readable({&tree.changes()}, std::chrono::seconds(30));
    if (!waited || !*waited) return false;
  }
}

class RealGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    run_ = os::random_id().value();
    auto made = CgroupTree::make(run_);
    if (!made) GTEST_SKIP() << "no group can be made here: " << to_sentence(made.error());
    tree_ = std::move(*made);
  }
  void TearDown() override {
    if (!tree_) return;
    for (int i = 0; i < 100; ++i) {
      const auto blow = tree_->kill();
      ASSERT_TRUE(blow);
      while (::waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      if (*blow == CgroupTree::Blow::kAll) break;
    }
    EXPECT_TRUE(becomes_empty(*tree_));
    while (::waitpid(-1, nullptr, 0) > 0) {
    }
    EXPECT_EQ(tree_->remove().value(), CgroupTree::Removal::kRemoved);
  }

  // The command waits at its gate, in the group.
  Result<os::Spawned> spawn_in(std::vector<std::string> argv) const {
    os::SpawnRequest request{.argv = std::move(argv)};
    request.cgroup = tree_->handle();
    return os::spawn(request);
  }
  // A process that moves itself into the group and then waits.
  [[nodiscard]] std::string procs() const { return tree_->id().path + "/cgroup.procs"; }

  Id128 run_{};
  std::optional<CgroupTree> tree_{};
};

}  // namespace holdfast::proc
