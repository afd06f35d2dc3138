// SPDX-License-Identifier: Apache-2.0
//
// The log of items under every failing call and every death: an item is where it was, or where it
// was to go.
#include <gtest/gtest.h>

#include "loop/item/item_log.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/temp_dir.h"

namespace holdfast::loop {
namespace {

using testing::SweepCase;

class ItemLogSweep : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kManyLines = 300;  // so that the next change writes the log anew

  static Result<> put(ItemLog& log, std::uint64_t attempts) {
    return log.change(os::Durability::kFull, [&](const ItemLog&) -> Result<std::vector<LoopLine>> {
      return std::vector<LoopLine>{ItemRecord{.id = "a", .attempts = attempts},
                                   LoopDay{.day = "today", .begun = attempts}};
    });
  }
  void prepare(std::uint64_t lines) {
    tmp_.clear();
    ASSERT_TRUE(ItemLog::create(tmp_.dir()));
    const os::Dir dir = *os::Dir::open(tmp_.path());
    auto log = ItemLog::open(dir);
    ASSERT_TRUE(log);
    const std::vector<LoopLine> old(lines, ItemRecord{.id = "a", .attempts = 1});
    ASSERT_TRUE(log->change(os::Durability::kNone,
                            [&](const ItemLog&) -> Result<std::vector<LoopLine>> { return old; }));
  }
  bool claim() const {
    const auto dir = os::Dir::open(tmp_.path());
    if (!dir) return false;
    auto log = ItemLog::open(*dir);
    return log && put(*log, 2);
  }
  // 1 or 2, and the day with it; and it can be changed again.
  std::uint64_t seen(std::uint64_t before) const {
    const os::Dir dir = *os::Dir::open(tmp_.path());
    auto log = ItemLog::open(dir);
    EXPECT_TRUE(log) << (log ? "" : log.error().detail);
    if (!log) return 0;
    const ItemRecord* item = log->find("a");
    const std::uint64_t attempts = item != nullptr ? item->attempts : 0;
    EXPECT_TRUE(attempts == before || attempts == 2) << attempts;
    EXPECT_TRUE(put(*log, 3));
    EXPECT_EQ(ItemLog::open(dir)->find("a")->attempts, 3U);
    return attempts;
  }

  testing::TempDir tmp_;
};

TEST_F(ItemLogSweep, EveryDeathLeavesTheOldStateOrTheNewOne) {
  for (const std::uint64_t lines : {std::uint64_t{0}, std::uint64_t{3}, kManyLines}) {
    const std::size_t mutations = testing::crash_sweep({
        .prepare = [&] { prepare(lines); },
        .body = [&] { EXPECT_TRUE(claim()); },
        .recover = [&](std::size_t) { seen(lines == 0 ? 0 : 1); },
    });
    EXPECT_GE(mutations, 2U) << lines;
  }
}

TEST_F(ItemLogSweep, EveryFailingCallLeavesTheOldStateOrTheNewOne) {
  for (const std::uint64_t lines : {std::uint64_t{0}, std::uint64_t{3}, kManyLines}) {
    const std::size_t runs = testing::fault_sweep({
        .prepare = [&] { prepare(lines); },
        .body = [&] { return claim(); },
        .check =
            [&](const SweepCase&, bool succeeded) {
              const std::uint64_t attempts = seen(lines == 0 ? 0 : 1);
              EXPECT_TRUE(!succeeded || attempts == 2U) << attempts;
            },
    });
    EXPECT_GT(runs, 20U) << lines;
  }
}

}  // namespace
}  // namespace holdfast::loop
