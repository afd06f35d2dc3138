// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/process_table.h"

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
  const auto self = std::ranges::find(table->rows, os::own_pid(), &ProcessFacts::pid);
  ASSERT_NE(self, table->rows.end());
  EXPECT_NE(std::ranges::find(table->rows, self->parent, &ProcessFacts::pid), table->rows.end());
}

// The row of one process fails, or reads as empty.
class SpoiltRow final : public testing::CallHook {
 public:
  SpoiltRow(os::Pid pid, std::string call, testing::Fate fate)
      : path_("/proc/" + std::to_string(os::number(pid)) + "/stat"),
        call_(std::move(call)),
        fate_(fate) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (!call.path.empty()) in_row_ = call.path == path_;
    return in_row_ && call.name == call_ ? fate_ : testing::Fate{};
  }

 private:
  std::string path_;
  std::string call_;
  testing::Fate fate_;
  bool in_row_ = false;
};

TEST(ProcessTable, ARowThatCannotBeReadIsSeenAndSpoilsNoOther) {
  using Kind = testing::Fate::Kind;
  struct Case {
    const char* call;
    testing::Fate fate;
    const char* cause;
  };
  const os::Pid parent = read_process(os::own_pid()).value()->parent;
  for (const Case& one : {Case{"openat", {Kind::kFail, EACCES}, "eacces"},
                          Case{"openat", {Kind::kFail, EPERM}, "eperm"},
                          Case{"openat", {Kind::kFail, EMFILE}, "emfile"},
                          Case{"read", {Kind::kNothing, 0}, "odd-stat-line"}}) {
    SpoiltRow spoilt(parent, one.call, one.fate);
    const testing::ScopedCallHook hook(spoilt);
    const auto table = read_process_table();
    ASSERT_TRUE(table) << one.cause;
    ASSERT_EQ(table->unread.size(), 1U) << one.cause;
    EXPECT_EQ(table->unread[0].pid, parent);
    EXPECT_EQ(table->unread[0].why.cause, one.cause);
    EXPECT_NE(std::ranges::find(table->rows, os::own_pid(), &ProcessFacts::pid), table->rows.end());
    const auto row = read_process(parent);
    EXPECT_FALSE(row.has_value()) << "taken for a process that is gone: " << one.cause;
  }
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
