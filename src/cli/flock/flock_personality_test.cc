// SPDX-License-Identifier: Apache-2.0
//
// Under the name of flock the program is flock, and nothing else.
#include <gtest/gtest.h>

#include "cli/flock/flock_personality.h"
#include "cli/frame/frame.h"
#include "cli/frame/test_frame.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

int flock(TestConsole& console, const std::string& word) {
  const os::RealClock clock;
  return run_frame(console, clock, {test_table(), personalities()}, {"flock", word});
}

TEST(FlockPersonality, FlockNeverBecomesPlainHoldfast) {
  TestConsole version;
  flock(version, "--version");
  EXPECT_TRUE(version.out.starts_with("flock from ")) << version.out;
  TestConsole command;
  EXPECT_EQ(flock(command, "journal"), 64);
  EXPECT_EQ(command.err.find("holdfast"), std::string::npos) << command.err;
}

// That util-linux reads the same lines in the same way is shown by tests/cli/flock/flock_usage.sh.
using std::chrono::microseconds;
using std::chrono::milliseconds;
using FlockOptionsWords = std::vector<std::string>;

Result<FlockLine> flock_options_parse(FlockOptionsWords words,
                                      const std::optional<std::string>& shell = "/bin/zsh") {
  words.insert(words.begin(), "flock");
  return parse_flock(words, shell);
}

FlockRequest request(const FlockOptionsWords& words) {
  const auto line = flock_options_parse(words);
  EXPECT_TRUE(line && std::holds_alternative<FlockRequest>(*line));
  return line ? std::get<FlockRequest>(*line) : FlockRequest{};
}

std::string flock_options_cause(const FlockOptionsWords& words) {
  const auto line = flock_options_parse(words);
  return line ? "none" : line.error().cause;
}

TEST(FlockOptions, WithoutOptionsItIsExclusiveAndWaits) {
  const FlockRequest plain = request({"f", "echo", "-n", "--", "x"});
  EXPECT_EQ(plain.mode, os::FlockMode::kExclusive);
  EXPECT_FALSE(plain.no_wait || plain.timeout || plain.close_first || plain.no_fork);
  EXPECT_EQ(plain.conflict_code, 1);
  EXPECT_EQ(plain.file, "f");
  EXPECT_EQ(plain.command, (FlockOptionsWords{"echo", "-n", "--", "x"}));
}

TEST(FlockOptions, EveryLetterAndNameIsRead) {
  for (const FlockOptionsWords& words :
       {FlockOptionsWords{"-sno", "-w3", "-E", "7", "f", "x"},
        FlockOptionsWords{"--shared", "--nonblock", "--close", "--timeout=3",
                          "--conflict-exit-code", "7", "f", "x"},
        FlockOptionsWords{"--sh", "--nb", "--cl", "--wait", "3", "--co=7", "--", "f", "x"}}) {
    const FlockRequest got = request(words);
    EXPECT_EQ(got.mode, os::FlockMode::kShared);
    EXPECT_TRUE(got.no_wait && got.close_first);
    EXPECT_EQ(got.timeout, milliseconds(3000));
    EXPECT_EQ(got.conflict_code, 7);
  }
  EXPECT_TRUE(request({"-F", "f", "x"}).no_fork);
  EXPECT_TRUE(request({"--no-", "f", "x"}).no_fork);
  EXPECT_TRUE(request({"--verb", "f", "x"}).verbose);
  EXPECT_EQ(request({"-s", "-u", "9"}).mode, os::FlockMode::kUnlock);
  EXPECT_EQ(request({"-s", "-x", "9"}).mode, os::FlockMode::kExclusive);
  EXPECT_EQ(request({"-s", "-e", "9"}).mode, os::FlockMode::kExclusive);
}

TEST(FlockOptions, ATimeoutIsSecondsInMicrosecondsAndNothingIsNoWait) {
  EXPECT_EQ(request({"-w", ".5", "9"}).timeout, milliseconds(500));
  EXPECT_EQ(request({"-w", "1e-6", "9"}).timeout, microseconds(1));
  for (const char* nothing : {"0", "-0", "1e-7", "-1e-7", "0.0"}) {
    EXPECT_TRUE(request({"-w", nothing, "9"}).no_wait) << nothing;
    EXPECT_FALSE(request({"-w", nothing, "9"}).timeout) << nothing;
  }
  for (const char* refused : {"-1", "-0.5", "nan", "inf", "1e30", "9223372036854775808"}) {
    EXPECT_LT(request({"-w", refused, "9"}).timeout, Duration::zero()) << refused;
  }
  EXPECT_GT(request({"-w", "9e18", "9"}).timeout, std::chrono::hours(24 * 365));
}

TEST(FlockOptions, TheShellStandsBehindTheFile) {
  EXPECT_EQ(request({"f", "-c", "a | b"}).command, (FlockOptionsWords{"/bin/zsh", "-c", "a | b"}));
  EXPECT_EQ(request({"f", "--command", "a"}).command[0], "/bin/zsh");
  EXPECT_EQ(request({"f", "--comm", "a"}).command[0], "--comm");
  for (const auto& shell : {std::optional<std::string>(), std::optional<std::string>("")}) {
    EXPECT_EQ(
        std::get<FlockRequest>(flock_options_parse({"f", "-c", "a"}, shell).value()).command[0],
        "/bin/sh");
  }
  EXPECT_EQ(flock_options_cause({"-c", "f", "a"}), "unknown-option");
  EXPECT_EQ(flock_options_cause({"f", "-c"}), "missing-operand");
  EXPECT_EQ(flock_options_cause({"f", "-c", "a", "b"}), "missing-operand");
}

TEST(FlockOptions, OneWordAloneIsTheNumberOfADescriptor) {
  EXPECT_EQ(request({"-n", "9"}).descriptor, 9);
  EXPECT_EQ(request({"--", "-1"}).descriptor, -1);
  EXPECT_EQ(request({" +09"}).descriptor, 9);
  for (const char* bad : {"f", "", "9x", "0x9", "9 ", "99999999999", "99999999999999999999"}) {
    EXPECT_EQ(flock_options_cause({bad}), "bad-value") << bad;
  }
}

TEST(FlockOptions, AWrongLineIsNamedForWhatIsWrong) {
  EXPECT_EQ(flock_options_cause({}), "missing-operand");
  EXPECT_EQ(flock_options_cause({"-n"}), "missing-operand");
  EXPECT_EQ(flock_options_cause({"-w"}), "missing-value");
  EXPECT_EQ(flock_options_cause({"--timeout"}), "missing-value");
  EXPECT_EQ(flock_options_cause({"-w", "1s", "9"}), "bad-value");
  EXPECT_EQ(flock_options_cause({"-w", "", "9"}), "bad-value");
  EXPECT_EQ(flock_options_cause({"-E", "256", "9"}), "bad-value");
  EXPECT_EQ(flock_options_cause({"-E", "-1", "9"}), "bad-value");
  EXPECT_EQ(flock_options_cause({"--n", "9"}), "unknown-option");
  EXPECT_EQ(flock_options_cause({"--close=1", "9"}), "unknown-option");
  EXPECT_EQ(flock_options_cause({"-oF", "9"}), "conflicting-options");
  EXPECT_EQ(flock_options_parse({"--verbose", "-Zn", "9"}).error().subject, "'-Z'");
  EXPECT_EQ(flock_options_parse({"-n", "--wat", "9"}).error().subject, "'--wat'");
}

TEST(FlockOptions, WhatIsAskedAboutItselfIsAnsweredWhenItIsRead) {
  EXPECT_EQ(std::get<FlockAbout>(flock_options_parse({"-h", "-Z"}).value()), FlockAbout::kHelp);
  EXPECT_EQ(std::get<FlockAbout>(flock_options_parse({"-n", "--vers"}).value()),
            FlockAbout::kVersion);
  EXPECT_EQ(flock_options_cause({"-Z", "-V"}), "unknown-option");
  EXPECT_EQ(request({"f", "-V"}).command, FlockOptionsWords{"-V"});
}

}  // namespace
}  // namespace holdfast::cli
