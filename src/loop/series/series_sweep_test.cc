// SPDX-License-Identifier: Apache-2.0
//
// The record of a series under every failing call and every death: the old one or the new one, and
// never taken for none.
#include <gtest/gtest.h>

#include <filesystem>

#include "format/loop/step_test_values.h"
#include "loop/series/series_store.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/temp_dir.h"

namespace holdfast::loop {
namespace {

using testing::SweepCase;

class SeriesSweep : public ::testing::Test {
 protected:
  SeriesSweep() {
    old_.done = 1;
    new_ = full_series();
    new_.name = old_.name;
  }

  void prepare() {
    tmp_.clear();
    std::filesystem::permissions(tmp_.path(), std::filesystem::perms::owner_all);
    sessions_.emplace(*os::Dir::open(tmp_.path()));
    ASSERT_TRUE(write_series(*sessions_, old_));
  }
  [[nodiscard]] SeriesRecord seen() const {
    const auto record = read_series(*sessions_, old_.name);
    EXPECT_TRUE(record) << (record ? "" : to_sentence(record.error()));
    EXPECT_TRUE(record && *record);
    return record && *record ? **record : SeriesRecord{};
  }

  testing::TempDir tmp_;
  std::optional<session::SessionStore> sessions_;
  SeriesRecord old_ = small_series();
  SeriesRecord new_;
};

TEST_F(SeriesSweep, EveryDeathLeavesTheOldRecordOrTheNewOne) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { EXPECT_TRUE(write_series(*sessions_, new_)); },
      .recover =
          [&](std::size_t died_before) {
            const SeriesRecord now = seen();
            EXPECT_TRUE(now == new_ || (died_before != 0 && now == old_)) << died_before;
          },
  });
  EXPECT_GE(mutations, 3U);
}

TEST_F(SeriesSweep, EveryFailingCallLeavesTheOldRecordOrTheNewOne) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { return write_series(*sessions_, new_).has_value(); },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            const SeriesRecord now = seen();
            EXPECT_TRUE(now == new_ || (!succeeded && now == old_)) << fault.description;
          },
  });
  EXPECT_GT(runs, 20U);
}

TEST_F(SeriesSweep, EveryFailingCallOfReadingIsAnErrorAndNeverNone) {
  std::optional<Result<std::optional<SeriesRecord>>> read;
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            read.emplace(read_series(*sessions_, old_.name));
            return read->has_value();
          },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            if (!succeeded) return;
            ASSERT_TRUE(read->value()) << fault.description;
            EXPECT_TRUE(**read == old_) << fault.description;
          },
  });
  EXPECT_GT(runs, 5U);
}

}  // namespace
}  // namespace holdfast::loop
