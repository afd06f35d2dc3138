// SPDX-License-Identifier: Apache-2.0
//
// The life of a group under every failing call: whoever was started is dead afterwards, and an
// answer "empty" was true.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>

#include "proc/tree/cgroup_find.h"
#include "proc/tree/cgroup_fixture.h"
#include "testing/fault_sweep.h"

namespace holdfast::proc {
namespace {

class CgroupSweep : public RealGroup {
 protected:
  // True: made, used, and gone, each step as promised.
  bool live_once() {
    const auto made = CgroupTree::make(run_of_body_);
    if (!made) return false;
    os::SpawnRequest request{.argv = {"/bin/sleep", "60"}};
    request.cgroup = made->handle();
    auto spawned = os::spawn(request);
    const bool started = spawned && spawned->release();
    for (int i = 0; i < 50; ++i) {
      const auto blow = made->kill();
      // How soon a blow takes effect is the kernel's affair; the calls made must not depend on it.
      if (blow && spawned) await_end(spawned->child().pid);
      const auto waited = os::wait_readable({&made->changes()}, std::chrono::milliseconds(20));
      const auto populated = made->populated();
      if (blow && populated && !*populated) break;
      if (!waited && !blow) break;
    }
    const auto populated = made->populated();
    const bool empty = populated && !*populated;
    if (empty) {
      EXPECT_FALSE(lives()) << "it was said that nobody is left";
    }
    const auto removed = made->remove();
    return started && empty && removed && *removed == CgroupTree::Removal::kRemoved;
  }
  // Awaited past the call table. A process leaves its group before its end can be waited for.
  static void await_end(os::Pid pid) {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
  }
  // Asked past the call table.
  [[nodiscard]] bool lives() const {
    std::FILE* events = std::fopen((path_ + "/cgroup.events").c_str(), "re");
    if (events == nullptr) return false;
    char line[64] = {};
    bool populated = false;
    while (std::fgets(line, sizeof line, events) != nullptr) {
      populated = populated || std::string_view(line).starts_with("populated 1");
    }
    std::fclose(events);
    return populated;
  }
  void clean_up() const {
    if (!std::filesystem::exists(path_)) return;
    static_cast<void>(write_text((path_ + "/cgroup.kill").c_str(), "1"));
    while (::waitpid(-1, nullptr, 0) > 0) {
    }
    EXPECT_EQ(::rmdir(path_.c_str()), 0);
  }

  Id128 run_of_body_ = os::random_id().value();
  std::string path_;
};

TEST_F(CgroupSweep, WhatIsSaidToBeEmptyIsEmpty) {
  path_ = tree_->parent().path() + "/" + cgroup_name(run_of_body_);
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { clean_up(); },
      .body = [&] { return live_once(); },
      .check =
          [&](const testing::SweepCase&, bool succeeded) {
            if (succeeded) {
              EXPECT_FALSE(std::filesystem::exists(path_));
            }
            clean_up();
          },
  });
  EXPECT_GE(runs, 50U);
}

}  // namespace
}  // namespace holdfast::proc
