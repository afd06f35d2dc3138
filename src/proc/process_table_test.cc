// SPDX-License-Identifier: Apache-2.0
#include "proc/process_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

ProcessFacts row(int pid, int parent) {
  return {
      .pid = os::Pid{pid}, .parent = os::Pid{parent}, .state = 'S', .start_ticks = 1, .name = ""};
}

std::vector<int> pids(const std::vector<ProcessFacts>& rows) {
  std::vector<int> out;
  for (const ProcessFacts& facts : rows) out.push_back(os::number(facts.pid));
  return out;
}

TEST(ProcessTable, HoldsThisProcessAndItsParent) {
  const auto table = read_process_table();
  ASSERT_TRUE(table);
  const auto self = std::ranges::find(*table, os::own_pid(), &ProcessFacts::pid);
  ASSERT_NE(self, table->end());
  EXPECT_NE(std::ranges::find(*table, self->parent, &ProcessFacts::pid), table->end());
}

TEST(ProcessTable, AMissingProcIsCannotTellAndNeverEmpty) {
  const testing::MissingCalls missing{{"openat", ENOENT}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto table = read_process_table();
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(table.error().cause, "no-proc");
}

TEST(ProcessTable, DescendantsAreFoundParentsFirstAndStrangersAreNot) {
  const std::vector<ProcessFacts> table{row(5, 4), row(1, 0), row(4, 3), row(3, 1),
                                        row(9, 1), row(8, 9), row(6, 3)};
  EXPECT_EQ(pids(descendants_of(os::Pid{3}, table)), (std::vector{4, 6, 5}));
  EXPECT_EQ(pids(descendants_of(os::Pid{5}, table)), std::vector<int>{});
}

TEST(ProcessTable, ATableThatContradictsItselfEnds) {
  const std::vector<ProcessFacts> table{row(4, 3), row(3, 4), row(5, 5), row(3, 3)};
  EXPECT_EQ(pids(descendants_of(os::Pid{3}, table)), (std::vector{4, 3, 3}));
}

}  // namespace
}  // namespace holdfast::proc
