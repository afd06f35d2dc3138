// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_decide.h"

#include <gtest/gtest.h>

#include "format/loop/step_test_values.h"

namespace holdfast::loop {
namespace {

constexpr SeriesLimits kLimits{.iterations = 5, .max_errors = 2, .max_idle = 2};

SeriesEnd series_decide_exited(int code, SeriesProgress progress = SeriesProgress::kNotAsked) {
  return {.state = SessionState::kExited, .exit_code = code, .code = code, .progress = progress};
}
SeriesEnd series_decide_lost() { return {.code = 69}; }
SeriesEnd asked(int signal) {
  return {.state = SessionState::kKilled, .signal = signal, .code = 128 + signal, .asked = true};
}

SeriesRecord after_all(std::initializer_list<SeriesEnd> ends) {
  SeriesRecord record = small_series();
  for (const SeriesEnd& end : ends) {
    record.pending = SeriesPending{};
    count_iteration(record, end);
    EXPECT_FALSE(record.pending);
  }
  return record;
}

TEST(SeriesDecide, GoesOnUntilAllAreUsedUp) {
  EXPECT_EQ(decide_series(after_all({}), kLimits, Goal::kNone), std::nullopt);
  const auto four = after_all({series_decide_exited(0), series_decide_exited(0),
                               series_decide_exited(0), series_decide_exited(0)});
  EXPECT_EQ(decide_series(four, kLimits, Goal::kNotYet), std::nullopt);
  const auto five =
      after_all({series_decide_exited(0), series_decide_exited(0), series_decide_exited(0),
                 series_decide_exited(0), series_decide_exited(0)});
  EXPECT_EQ(decide_series(five, kLimits, Goal::kNotYet), SeriesReason::kIterations);
  EXPECT_EQ(series_code(SeriesReason::kIterations, five, false), 0);
  EXPECT_EQ(series_code(SeriesReason::kIterations, five, true), 76);
}

TEST(SeriesDecide, AReachedGoalWinsOverEverything) {
  const auto failed =
      after_all({series_decide_exited(3), series_decide_exited(3), series_decide_lost()});
  EXPECT_EQ(decide_series(failed, kLimits, Goal::kReached), SeriesReason::kReached);
  EXPECT_EQ(series_code(SeriesReason::kReached, failed, true), 0);
}

TEST(SeriesDecide, AGoalThatCannotBeToldStartsNothingAndIsNoEnd) {
  for (const SeriesRecord& record :
       {after_all({}), after_all({series_decide_exited(3), series_decide_exited(3)})}) {
    const auto reason = decide_series(record, kLimits, Goal::kCannotTell);
    ASSERT_EQ(reason, SeriesReason::kCannotTell);
    EXPECT_FALSE(is_over(*reason));
    EXPECT_EQ(series_code(*reason, record, true), 69);
  }
}

TEST(SeriesDecide, ErrorsInARowEndItWithTheCommandsCode) {
  const auto apart =
      after_all({series_decide_exited(3), series_decide_exited(0), series_decide_exited(4)});
  EXPECT_EQ(decide_series(apart, kLimits, Goal::kNone), std::nullopt);
  const auto row =
      after_all({series_decide_exited(0), series_decide_exited(3), series_decide_exited(4)});
  EXPECT_EQ(decide_series(row, kLimits, Goal::kNone), SeriesReason::kErrors);
  EXPECT_EQ(series_code(SeriesReason::kErrors, row, true), 4);
}

TEST(SeriesDecide, ALostOneIsAnErrorAndCountedAsUnknown) {
  const auto record = after_all({series_decide_lost(), series_decide_lost()});
  EXPECT_EQ(record.unknown, 2U);
  EXPECT_EQ(decide_series(record, kLimits, Goal::kNone), SeriesReason::kErrors);
  EXPECT_EQ(series_code(SeriesReason::kErrors, record, false), 69);
}

TEST(SeriesDecide, UsedUpOrIdleWithoutAGoalIsTheLastOnesCode) {
  using enum SeriesReason;
  for (const SeriesReason reason : {kIterations, kPlateau}) {
    EXPECT_EQ(
        series_code(reason, after_all({series_decide_exited(0), series_decide_exited(3)}), false),
        3);
    EXPECT_EQ(
        series_code(reason, after_all({series_decide_exited(3), series_decide_exited(0)}), false),
        0);
    EXPECT_EQ(series_code(reason,
                          after_all({series_decide_exited(3), series_decide_exited(0), asked(15)}),
                          false),
              0);
    EXPECT_EQ(
        series_code(reason, after_all({series_decide_exited(0), series_decide_lost()}), false), 69);
    EXPECT_EQ(series_code(reason, after_all({}), false), 69);
    EXPECT_EQ(
        series_code(reason, after_all({series_decide_exited(0), series_decide_exited(3)}), true),
        76);
  }
}

TEST(SeriesDecide, OneThatWasAskedToEndIsNotDone) {
  const auto record = after_all({series_decide_exited(3), asked(15)});
  EXPECT_EQ(record.errors, 1U);
  EXPECT_EQ(record.done, 1U);
  EXPECT_EQ(record.history.size(), 2U);
  const SeriesLimits two{.iterations = 2};
  EXPECT_EQ(decide_series(after_all({series_decide_exited(0), asked(15)}), two, Goal::kNone),
            std::nullopt);
  const auto more =
      after_all({series_decide_exited(3), asked(15), series_decide_exited(3), asked(2)});
  EXPECT_EQ(decide_series(more, kLimits, Goal::kNone), SeriesReason::kErrors);
  EXPECT_EQ(series_code(SeriesReason::kErrors, more, false), 3);
}

TEST(SeriesDecide, IdleOnesInARowAreAPlateau) {
  using enum SeriesProgress;
  const auto moved = after_all({series_decide_exited(0, kIdle), series_decide_exited(0, kMoved),
                                series_decide_exited(0, kIdle)});
  EXPECT_EQ(decide_series(moved, kLimits, Goal::kNone), std::nullopt);
  const auto idle = after_all({series_decide_exited(0, kIdle), series_decide_exited(0, kIdle)});
  EXPECT_EQ(decide_series(idle, kLimits, Goal::kNotYet), SeriesReason::kPlateau);
  EXPECT_EQ(series_code(SeriesReason::kPlateau, idle, true), 76);
  EXPECT_EQ(series_code(SeriesReason::kPlateau, idle, false), 0);
}

TEST(SeriesDecide, AProgressThatCannotBeToldIsNeitherIdleNorAChange) {
  using enum SeriesProgress;
  const auto row =
      after_all({series_decide_exited(0, kIdle), series_decide_exited(0, kCannotTell)});
  EXPECT_EQ(row.idle, 1U);
  const auto more = after_all({series_decide_exited(0, kIdle), series_decide_exited(0, kCannotTell),
                               series_decide_exited(0, kIdle)});
  EXPECT_EQ(decide_series(more, kLimits, Goal::kNone), SeriesReason::kPlateau);
  Digest mark;
  EXPECT_EQ(compare_marks(std::nullopt, mark), kCannotTell);
  EXPECT_EQ(compare_marks(mark, std::nullopt), kCannotTell);
  EXPECT_EQ(compare_marks(mark, mark), kIdle);
}

TEST(SeriesDecide, TheHistoryIsBounded) {
  SeriesRecord record = small_series();
  for (std::size_t i = 0; i < kMaxSeriesHistory + 5; ++i) {
    SeriesEnd end = series_decide_exited(0);
    end.n = i + 1;
    count_iteration(record, end);
  }
  EXPECT_EQ(record.done, kMaxSeriesHistory + 5);
  ASSERT_EQ(record.history.size(), kMaxSeriesHistory);
  EXPECT_EQ(record.history.front().n, 6U);
}

TEST(SeriesDecide, AnExitWith0ThatIsNotConfirmedIsAFailure) {
  EXPECT_TRUE(has_failed({.state = SessionState::kUnverified, .exit_code = 0, .code = 76}));
  EXPECT_TRUE(has_failed({.state = SessionState::kExited, .code = 69}));
  EXPECT_FALSE(has_failed(series_decide_exited(0)));
}

}  // namespace
}  // namespace holdfast::loop
