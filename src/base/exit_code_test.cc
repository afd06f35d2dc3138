// SPDX-License-Identifier: Apache-2.0
#include "base/exit_code.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace holdfast {
namespace {

// The switch has no default: with -Werror=switch a new enumerator does not compile until it is
// counted here, and then the size check fails until it has its row.
constexpr int count_enumerators() {
  int n = 0;
  for (int value = 0; value < 256; ++value) {
    switch (static_cast<ExitCode>(value)) {
      case ExitCode::kDone:
      case ExitCode::kUsage:
      case ExitCode::kCorrupt:
      case ExitCode::kNo:
      case ExitCode::kCannotTell:
      case ExitCode::kInternal:
      case ExitCode::kOsRefused:
      case ExitCode::kSurvivors:
      case ExitCode::kNotDurable:
      case ExitCode::kIo:
      case ExitCode::kBusy:
      case ExitCode::kUnproven:
      case ExitCode::kRefused:
      case ExitCode::kConfig:
      case ExitCode::kDeadline:
      case ExitCode::kWrapperFailed:
      case ExitCode::kNotExecutable:
      case ExitCode::kCommandNotFound:
        ++n;
        break;
    }
  }
  return n;
}

TEST(ExitCode, TableHoldsEveryCodeOnceInOrder) {
  EXPECT_EQ(static_cast<int>(kExitCodes.size()), count_enumerators());
  for (std::size_t i = 1; i < kExitCodes.size(); ++i) {
    EXPECT_LT(to_int(kExitCodes[i - 1].code), to_int(kExitCodes[i].code));
  }
}

TEST(ExitCode, NamesAreUniqueAndMeaningsAreGiven) {
  std::set<std::string_view> names;
  for (const ExitCodeInfo& row : kExitCodes) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
  }
}

TEST(ExitCode, OneAndTwoAreNeverHoldfastsOwnAnswer) {
  for (const ExitCodeInfo& row : kExitCodes) {
    EXPECT_NE(to_int(row.code), 1);
    EXPECT_NE(to_int(row.code), 2);
  }
}

// As above: a new enumerator does not compile until it is counted, and then lacks its row.
constexpr std::size_t count_error_codes() {
  std::size_t n = 0;
  for (int value = 0; value < 256; ++value) {
    switch (static_cast<ErrorCode>(value)) {
      case ErrorCode::kUsage:
      case ErrorCode::kCorrupt:
      case ErrorCode::kNotFound:
      case ErrorCode::kCannotTell:
      case ErrorCode::kInternal:
      case ErrorCode::kOsRefused:
      case ErrorCode::kIo:
      case ErrorCode::kNotDurable:
      case ErrorCode::kBusy:
      case ErrorCode::kRefused:
      case ErrorCode::kConfig:
        ++n;
        break;
    }
  }
  return n;
}

TEST(ExitCode, EveryErrorCodeHasOneRowAndAnExitCodeOfTheTable) {
  EXPECT_EQ(kErrorCodes.size(), count_error_codes());
  std::set<ErrorCode> seen;
  for (const ErrorCodeInfo& row : kErrorCodes) {
    EXPECT_TRUE(seen.insert(row.code).second) << row.name;
    EXPECT_EQ(&row, &info(row.code)) << row.name;  // the table is indexed by the enumerator
    bool listed = false;
    for (const ExitCodeInfo& exit : kExitCodes) listed = listed || exit.code == row.exit;
    EXPECT_TRUE(listed) << row.name;
    EXPECT_NE(row.exit, ExitCode::kDone) << row.name;
  }
}

}  // namespace
}  // namespace holdfast
