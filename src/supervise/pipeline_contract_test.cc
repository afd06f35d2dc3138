// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "supervise/pipeline.h"
#include "testing/programs.h"

namespace holdfast::supervise {
namespace {

using std::chrono::milliseconds;
using testing::test_child;
using PipelineContractKind = os::StartFailure::Kind;

class PipelineContract : public ::testing::Test {
 protected:
  Result<PipelineReport> run(const PipelineRequest& request) {
    return run_pipeline(os::RealClock(), request, [&](std::string_view bytes) {
      taken_ += bytes;
      return Result<>();
    });
  }
  PipelineReport run_stages(std::vector<std::vector<std::string>> stages) {
    return run({.stages = std::move(stages), .grace = milliseconds(100)}).value();
  }
  std::string taken_;
};

TEST_F(PipelineContract, EachStageReadsWhatTheOneBeforePrints) {
  const auto report =
      run_stages({test_child({"words", "a b", "c"}), test_child({"cat"}), test_child({"cat"})});
  EXPECT_TRUE(report.succeeded()) << describe_failure(report);
  EXPECT_EQ(taken_, "[a b][c]");
  EXPECT_EQ(report.bytes, taken_.size());
}

TEST_F(PipelineContract, ALongOutputArrivesWholeAndInOrder) {
  const auto report = run_stages({test_child({"count", "30000"}), test_child({"cat"})});
  EXPECT_TRUE(report.succeeded()) << describe_failure(report);
  std::string expected;
  for (int i = 1; i <= 30'000; ++i) expected += std::to_string(i) + "\n";
  std::erase(taken_, '\r');
  EXPECT_TRUE(taken_ == expected) << taken_.size() << " of " << expected.size();
}

TEST_F(PipelineContract, WhicheverStageFailsIsNamedWithItsWay) {
  for (const std::size_t at : {0U, 1U, 2U}) {
    std::vector<std::vector<std::string>> stages(3, test_child({"cat"}));
    stages[at] = test_child({"cat-and-exit", "5"});
    const auto report = run_stages(stages);
    EXPECT_FALSE(report.succeeded());
    EXPECT_EQ(report.stages[at].exit_code, 5);
    EXPECT_TRUE(describe_failure(report).ends_with("exited with 5")) << describe_failure(report);
    stages[at] = {"no-such-command"};
    const auto absent = run_stages(stages);
    ASSERT_TRUE(absent.stages[at].start_failure);
    EXPECT_EQ(absent.stages[at].start_failure->kind, PipelineContractKind::kNotFound);
    EXPECT_TRUE(absent.empty);
  }
}

TEST_F(PipelineContract, AtTheTimeLimitOneThatIgnoresTermIsKilled) {
  const auto report = run({.stages = {test_child({"ignore-term"})},
                           .timeout = milliseconds(3000),
                           .grace = milliseconds(50)});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->timed_out);
  EXPECT_TRUE(report->empty);
  EXPECT_EQ(report->stages[0].signal, os::kSignalKill);
}

TEST_F(PipelineContract, ATakerThatSaysNoEndsTheProducerAndIsNotAskedAgain) {
  int asked = 0;
  const auto report = run_pipeline(
      os::RealClock(), {.stages = {test_child({"count", "2000000000"})}, .grace = milliseconds(50)},
      [&](std::string_view) -> Result<> {
        ++asked;
        return fail({.code = ErrorCode::kIo, .op = "write", .cause = "enospc"});
      });
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().cause, "enospc");
  EXPECT_EQ(asked, 1);
}

TEST_F(PipelineContract, AWriterThatAStageLeavesBehindMakesTheOutputCut) {
  const auto report = run_stages({test_child({"child", "sleep-forever"})});
  EXPECT_TRUE(report.empty);
  EXPECT_TRUE(report.output_ended);
  EXPECT_TRUE(report.output_cut);
  EXPECT_FALSE(report.succeeded());
}

}  // namespace
}  // namespace holdfast::supervise
