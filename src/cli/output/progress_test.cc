// SPDX-License-Identifier: Apache-2.0
#include "cli/output/progress.h"

#include <gtest/gtest.h>

#include "cli/frame/frame_context.h"
#include "cli/frame/test_frame.h"

namespace holdfast::cli {
namespace {

using namespace std::chrono_literals;

class HandClock final : public Clock {
 public:
  MonoTime now{};
  [[nodiscard]] WallTime wall() const override { return {}; }
  [[nodiscard]] BootTime boot() const override { return {}; }
  [[nodiscard]] MonoTime mono() const override { return now; }
};

TEST(Progress, ShortWorkShowsNothing) {
  TestConsole console;
  HandClock clock;
  {
    Progress progress(console, clock, Progress::Show::kYes);
    for (std::uint64_t i = 0; i < 5; ++i, clock.now += 99ms) progress.update("reading", i, 5);
  }
  EXPECT_EQ(console.err, "");
}

TEST(Progress, LongWorkIsShownAtMostTenTimesASecondAndLeavesNoTrace) {
  TestConsole console;
  HandClock clock;
  {
    Progress progress(console, clock, Progress::Show::kYes);
    progress.update("reading", 0, 9);
    clock.now += 500ms;
    progress.update("reading", 3, 9);
    clock.now += 99ms;
    progress.update("reading", 4, 9);
    clock.now += 1ms;
    progress.update("reading", 5, 0);
    EXPECT_EQ(console.err, "\r\x1b[Kreading 3/9\r\x1b[Kreading 5");
  }
  EXPECT_TRUE(console.err.ends_with("reading 5\r\x1b[K"));
}

TEST(Progress, LineFitsTheTerminalAndIsSafeForIt) {
  TestConsole console;
  console.width = 50;
  HandClock clock;
  Progress progress(console, clock, Progress::Show::kYes);
  progress.update("x", 0, 1);
  clock.now += 1s;
  progress.update("\x1b[2J" + std::string(30, 'a') + std::string("ääääääääääääääääääää"), 7, 100);
  EXPECT_EQ(console.err, "\r\x1b[K\\x1b[2J" + std::string(30, 'a') + "äääää… 7/100");
}

TEST(Progress, FrameShowsItOnlyOnATerminalAndNeverUnderQuietOrJson) {
  const auto shown = [](bool terminal, CommonOptions options) {
    TestConsole console;
    console.err_terminal = terminal;
    HandClock clock;
    FrameContext context(console, clock, std::move(options));
    context.progress("reading", 1, 2);
    clock.now += 1s;
    context.progress("reading", 2, 2);
    return !console.err.empty();
  };
  EXPECT_TRUE(shown(true, {}));
  EXPECT_FALSE(shown(false, {}));
  EXPECT_FALSE(shown(true, {.verbosity = Verbosity::kQuiet}));
  EXPECT_FALSE(shown(true, {.mode = OutputMode::kJson}));
}

}  // namespace
}  // namespace holdfast::cli
