// SPDX-License-Identifier: Apache-2.0
//
// A sync that fails is never taken for one that worked, not even by the next writer.
#include "format/journal/journal_payload.h"
#include "journal/store/journal_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::journal {
namespace {

class FailingSyncs final : public testing::CallHook {
 public:
  explicit FailingSyncs(int times) : left_(times) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != "fdatasync" || left_ == 0) return {};
    --left_;
    return {.kind = testing::Fate::Kind::kFail, .os_code = EIO};
  }

 private:
  int left_;
};

class JournalSyncError : public JournalFixture {};

TEST_F(JournalSyncError, TheSegmentIsLeftAndTheRecordRepeatedInANewOne) {
  const auto journal = open();
  const auto other = open();
  ASSERT_TRUE(journal->record(numbered(1, EventClass::kDecision)));
  ASSERT_TRUE(other->record(numbered(2)));
  {
    FailingSyncs failing(1);
    const testing::ScopedCallHook hook(failing);
    const auto receipt = journal->record(numbered(3, EventClass::kDecision));
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
    EXPECT_EQ(receipt->kept, Kept::kDurable);
  }
  ASSERT_TRUE(other->record(numbered(4)));
  ASSERT_TRUE(journal->record(numbered(5, EventClass::kDecision)));
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3, 3, 4, 5}));
  EXPECT_EQ(files("seg-").size(), 2U);
  const auto said = records("journal.sync_error");
  ASSERT_EQ(said.size(), 1U);
  const auto error = decode_journal_sync_error(said[0].data, "test");
  ASSERT_TRUE(error && error->unknown);
  EXPECT_EQ(error->segment, 1U);
  EXPECT_EQ(error->error, "eio");
  EXPECT_EQ(error->unknown->first, 3U) << "record 2 was synced";
  EXPECT_EQ(error->unknown->last, 4U);
  expect_sound();
}

TEST_F(JournalSyncError, ADeviceThatAlwaysFailsIsAnErrorAndNothingIsForgotten) {
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1)));
  {
    FailingSyncs failing(1000);
    const testing::ScopedCallHook hook(failing);
    // The new segment is made with fsync, which works here: the record is durable there.
    ASSERT_TRUE(journal->record(numbered(2, EventClass::kDecision)));
  }
  expect_sound();
}

TEST_F(JournalSyncError, AFailedSyncOfTheNewSegmentRefusesTheDecision) {
  class AllSyncsFail final : public testing::CallHook {
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name != "fdatasync" && call.name != "fsync") return {};
      return {.kind = testing::Fate::Kind::kFail, .os_code = EIO};
    }
  };
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1)));
  {
    AllSyncsFail failing;
    const testing::ScopedCallHook hook(failing);
    const auto receipt = journal->record(numbered(2, EventClass::kDecision));
    ASSERT_FALSE(receipt);
    EXPECT_EQ(receipt.error().code, ErrorCode::kIo);
    EXPECT_FALSE(open()->record(numbered(3))) << "written to a poisoned segment";
  }
  ASSERT_TRUE(open()->record(numbered(4)));
  EXPECT_EQ(records("journal.sync_error").size(), 1U);
  EXPECT_EQ(numbers().back(), 4);
  EXPECT_EQ(std::ranges::count(numbers(), 3), 0);
  expect_sound();
}

}  // namespace
}  // namespace holdfast::journal
