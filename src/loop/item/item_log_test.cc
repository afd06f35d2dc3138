// SPDX-License-Identifier: Apache-2.0
#include "loop/item/item_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace holdfast::loop {
namespace {

class ItemLogTest : public ::testing::Test {
 protected:
  static ItemRecord item(const std::string& id, std::uint64_t attempts) {
    return {.id = id, .attempts = attempts};
  }
  static Result<> put(ItemLog& log, std::vector<LoopLine> lines) {
    return log.change(os::Durability::kFull,
                      [&](const ItemLog&) -> Result<std::vector<LoopLine>> { return lines; });
  }
  [[nodiscard]] os::Dir dir() const {
    EXPECT_TRUE(ItemLog::create(tmp_.dir()));
    return *os::Dir::open(tmp_.path());
  }
  [[nodiscard]] std::string content() const {
    std::ifstream file(tmp_.path("items.log"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  testing::TempDir tmp_;
};

TEST_F(ItemLogTest, RemembersTheNewestOfEachItem) {
  const os::Dir at = dir();
  auto log = ItemLog::open(at);
  ASSERT_TRUE(log);
  ASSERT_TRUE(put(*log, {item("a", 1), LoopDay{.day = "2026-11-16", .begun = 1}}));
  ASSERT_TRUE(put(*log, {item("a", 2), item("b", 1), item("c", 1)}));
  ASSERT_TRUE(put(*log, {ItemForgotten{.id = "c"}}));
  auto again = ItemLog::open(at);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->items(), log->items());
  EXPECT_EQ(again->items().size(), 2U);
  EXPECT_EQ(again->find("a")->attempts, 2U);
  EXPECT_EQ(again->day()->begun, 1U);
}

TEST_F(ItemLogTest, AChangeSeesWhatAnotherHasWritten) {
  const os::Dir at = dir();
  auto one = ItemLog::open(at);
  auto other = ItemLog::open(at);
  ASSERT_TRUE(one && other);
  ASSERT_TRUE(put(*other, {item("a", 7)}));
  ASSERT_TRUE(
      one->change(os::Durability::kNone, [](const ItemLog& now) -> Result<std::vector<LoopLine>> {
        return std::vector<LoopLine>{item("a", now.find("a")->attempts + 1)};
      }));
  EXPECT_EQ(ItemLog::open(at)->find("a")->attempts, 8U);
}

TEST_F(ItemLogTest, IsWrittenAnewAndOthersFindTheNewOne) {
  const os::Dir at = dir();
  auto one = ItemLog::open(at);
  auto other = ItemLog::open(at);
  ASSERT_TRUE(one && other);
  for (std::uint64_t i = 0; i < 600; ++i) ASSERT_TRUE(put(*one, {item("a", i)}));
  EXPECT_LT(content().size(), std::size_t{300} * 150);
  ASSERT_TRUE(other->catch_up());
  EXPECT_EQ(other->find("a")->attempts, 599U);
  ASSERT_TRUE(put(*other, {item("b", 1)}));
  ASSERT_TRUE(one->catch_up());
  EXPECT_EQ(one->items(), other->items());
}

TEST_F(ItemLogTest, ATornLineIsNotThereAndIsCutOffByTheNextWriter) {
  const os::Dir at = dir();
  auto log = ItemLog::open(at);
  ASSERT_TRUE(log);
  ASSERT_TRUE(put(*log, {item("a", 1)}));
  const std::string whole = content();
  const std::string next = encode_loop_line(item("a", 2));
  for (std::size_t cut = 1; cut < next.size(); ++cut) {
    std::ofstream(tmp_.path("items.log"), std::ios::binary) << whole << next.substr(0, cut);
    auto reader = ItemLog::open(at);
    ASSERT_TRUE(reader) << cut;
    EXPECT_EQ(reader->find("a")->attempts, 1U);
    ASSERT_TRUE(put(*reader, {item("b", 1)}));
    const std::string mended = whole + encode_loop_line(item("b", 1));
    const std::string head = encode_loop_head({.synced = mended.size()});
    EXPECT_NE(content().substr(0, 2 * kLoopHeadBytes).find(head), std::string::npos);
    EXPECT_EQ(content().substr(2 * kLoopHeadBytes), mended.substr(2 * kLoopHeadBytes));
  }
}

TEST_F(ItemLogTest, ALogThatWasCutOrZeroedBeforeItsSyncedEndIsDamage) {
  const os::Dir at = dir();
  auto log = ItemLog::open(at);
  ASSERT_TRUE(log);
  ASSERT_TRUE(put(*log, {item("a", 1), item("b", 1)}));
  const std::string whole = content();
  ASSERT_TRUE(std::filesystem::create_directory(tmp_.path("items")));
  std::ofstream(tmp_.path("items/a.json")) << "{}";
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    for (const std::size_t zeros : {std::size_t{0}, whole.size() - cut, std::size_t{5000}}) {
      const std::string damaged = whole.substr(0, cut) + std::string(zeros, '\0');
      std::ofstream(tmp_.path("items.log"), std::ios::binary) << damaged;
      const auto again = ItemLog::open(at);
      ASSERT_FALSE(again) << cut << " " << zeros;
      EXPECT_EQ(again.error().code, ErrorCode::kCorrupt);
      EXPECT_FALSE(put(*log, {item("c", 1)}));
      EXPECT_EQ(content(), damaged);
    }
  }
  std::ofstream(tmp_.path("items.log"), std::ios::binary) << whole << std::string(5000, '\0');
  EXPECT_TRUE(ItemLog::open(at));
}

TEST_F(ItemLogTest, DamageIsNeverOverwritten) {
  const os::Dir at = dir();
  auto log = ItemLog::open(at);
  ASSERT_TRUE(log);
  ASSERT_TRUE(put(*log, {item("a", 1), item("b", 1)}));
  std::string damaged = content();
  damaged[20] ^= 1;
  std::ofstream(tmp_.path("items.log"), std::ios::binary) << damaged;
  const auto again = ItemLog::open(at);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(content(), damaged);
}

TEST_F(ItemLogTest, ALogThatIsGoneIsNotAnEmptyOne) {
  const os::Dir at = dir();
  auto log = ItemLog::open(at);
  ASSERT_TRUE(log);
  ASSERT_TRUE(put(*log, {item("a", 1)}));
  ASSERT_EQ(::unlink(tmp_.path("items.log").c_str()), 0);
  const auto changed = put(*log, {item("b", 1)});
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().cause, "loop-log-gone");
  EXPECT_EQ(ItemLog::open(at).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace holdfast::loop
