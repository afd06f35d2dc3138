// SPDX-License-Identifier: Apache-2.0
#include "cli/process/kill_order.h"

#include <gtest/gtest.h>

#include <set>

namespace holdfast::cli {
namespace {

TEST(KillOptions, ASignalIsANameOrANumber) {
  for (const char* typed : {"TERM", "SIGTERM", "term", "sigTerm", "15"}) {
    EXPECT_EQ(parse_signal(typed).value(), 15) << typed;
  }
  EXPECT_EQ(parse_signal("USR1").value(), 10);
  EXPECT_EQ(parse_signal("64").value(), 64);
  for (const char* typed :
       {"", "0", "65", "-9", "SIG", "TERMX", " TERM", "signal 40", "15 ", "SIGSIGTERM"}) {
    const auto signal = parse_signal(typed);
    ASSERT_FALSE(signal) << typed;
    EXPECT_EQ(signal.error().code, ErrorCode::kUsage);
  }
}

TEST(KillAnswer, EachOutcomeHasTheCodeOfTheContract) {
  using proc::KillOutcome;
  EXPECT_EQ(exit_of(KillOutcome::kKilled), ExitCode::kDone);
  EXPECT_EQ(exit_of(KillOutcome::kSignalled), ExitCode::kDone);
  EXPECT_EQ(exit_of(KillOutcome::kGone), ExitCode::kNo);
  EXPECT_EQ(exit_of(KillOutcome::kMismatch), ExitCode::kRefused);
  EXPECT_EQ(exit_of(KillOutcome::kRefused), ExitCode::kRefused);
  EXPECT_EQ(exit_of(KillOutcome::kNotPermitted), ExitCode::kOsRefused);
  EXPECT_EQ(exit_of(KillOutcome::kSurvivors), ExitCode::kSurvivors);
  EXPECT_EQ(exit_of(KillOutcome::kUnproven), ExitCode::kCannotTell);
}

TEST(KillAnswer, EachLackOfEvidenceSaysWhatIsMissing) {
  for (const char* word : {"no-evidence", "no-pid", "other-host", "before-boot", "future-file",
                           "started-later", "started-earlier"}) {
    EXPECT_FALSE(missing_evidence(word).empty()) << word;
  }
  EXPECT_TRUE(missing_evidence("recycled").empty());
}

}  // namespace
}  // namespace holdfast::cli
