// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "supervise/front_end.h"
#include "supervise/verdict.h"
#include "supervise/wrap.h"
#include "testing/programs.h"
#include "testing/temp_dir.h"

namespace holdfast::supervise {
namespace {

using testing::test_child;

class WrapContractDoorman final : public CallerHooks {
 public:
  explicit WrapContractDoorman(bool lets_in) : lets_in_(lets_in) {}
  Result<> born(const Born& born) override {
    pid_ = born.command;
    if (lets_in_) return {};
    return fail({.code = ErrorCode::kBusy, .op = "let in", .cause = "not-today"});
  }
  void started() override { started_ = true; }
  [[nodiscard]] std::optional<BootTime> next_tick() const override { return ends_at_; }
  Wish tick() override {
    ends_at_.reset();
    return Wish::kEnd;
  }

  bool lets_in_;
  bool started_ = false;
  os::Pid pid_{};
  std::optional<BootTime> ends_at_{};
};

Result<RunReport> wrap_contract_run_either(bool tree, std::vector<std::string> argv,
                                           CallerHooks& caller_hooks) {
  if (!tree) {
    return run_wrapped(os::RealClock(),
                       {.argv = std::move(argv), .stdout_to = os::StdoutTo::kStderr}, caller_hooks);
  }
  TreeRequest request{.commands = {std::move(argv)}, .stdout_to = os::StdoutTo::kStderr};
  request.grace = std::chrono::milliseconds(100);
  request.leftovers = Leftovers::kLeave;
  auto outcome = run_tree(os::RealClock(), request, {}, &caller_hooks);
  if (!outcome) return fail(outcome.error());
  CommandFacts command;
  if (!outcome->report.commands.empty()) command = outcome->report.commands.front();
  return RunReport{std::move(outcome->report), command};
}

TEST(WrapContract, TheAttendantKnowsTheCommandBeforeItRunsAndItsCodeIsTheAnswer) {
  for (const bool tree : {false, true}) {
    WrapContractDoorman doorman(true);
    const auto report = wrap_contract_run_either(tree, test_child({"exit", "3"}), doorman);
    ASSERT_TRUE(report) << report.error().detail;
    EXPECT_TRUE(doorman.started_);
    EXPECT_EQ(doorman.pid_, report->pid);
    EXPECT_EQ(report->end->value, 3);
  }
}

TEST(WrapContract, WhomTheAttendantDoesNotLetInNeverRuns) {
  const testing::TempDir tmp;
  for (const bool tree : {false, true}) {
    WrapContractDoorman doorman(false);
    const auto report =
        wrap_contract_run_either(tree, test_child({"mark", tmp.path("mark")}), doorman);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().cause, "not-today");
    EXPECT_FALSE(tmp.dir().info(os::SafeName::make("mark").value()).value());
  }
}

TEST(WrapContract, AnAttendantCanHaveTheTreeEndedAlthoughLeftoversAreLeftAlone) {
  WrapContractDoorman doorman(true);
  doorman.ends_at_ = os::RealClock().boot() + std::chrono::seconds(3);
  const auto report =
      wrap_contract_run_either(true, test_child({"stay", "child", "ignore-term"}), doorman);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->empty);
  EXPECT_GT(report->killed, 0U);
}

}  // namespace
}  // namespace holdfast::supervise
