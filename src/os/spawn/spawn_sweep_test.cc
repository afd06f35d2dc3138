// SPDX-License-Identifier: Apache-2.0
//
// Spawning under every failing call: either the command runs, or it does not and nobody is left.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>

#include "os/spawn/spawn.h"
#include "testing/fault_sweep.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class SpawnSweep : public ::testing::TestWithParam<testing::MissingCalls> {
 protected:
  // The whole life of a command that makes `mark`.
  bool run_once() {
    auto spawned =
        spawn({.argv = {"/bin/touch", mark_}, .stdin_from = StdinFrom::kNothing, .signals = {}});
    if (!spawned) return false;
    if (!spawned->release()) return false;
    const auto failure = spawned->read_start();
    while (::waitpid(-1, nullptr, 0) > 0) {  // the mark is made, or never will be
    }
    return failure && !*failure;
  }

  testing::TempDir tmp_;
  std::string mark_ = tmp_.path("mark");
};

TEST_P(SpawnSweep, TheCommandRunsOrNobodyIsLeft) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body = [&] { return run_once(); },
      .check =
          [&](const testing::SweepCase& fault, bool succeeded) {
            // Whoever was born ends without help: the gate is closed or the command is done.
            int status = 0;
            int born = 0;
            while (::waitpid(-1, &status, 0) > 0) ++born;
            EXPECT_LE(born, 1);
            const bool ran = std::filesystem::exists(mark_);
            if (succeeded) {
              EXPECT_TRUE(ran);
            } else if (!fault.fails("read")) {  // a failing read cannot know
              EXPECT_FALSE(ran);
            }
          },
      .missing = GetParam(),
      .second_faults = true,
  });
  EXPECT_GE(runs, 20U);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SpawnSweep,
                         ::testing::Values(testing::MissingCalls{},
                                           testing::MissingCalls{{"pidfd_open", ENOSYS}},
                                           testing::MissingCalls{{"clone_vm", ENOSYS}}));

}  // namespace
}  // namespace holdfast::os
