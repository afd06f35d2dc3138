// SPDX-License-Identifier: Apache-2.0
#include "journal/write/journal.h"

#include <numeric>

#include "journal/store/journal_fixture.h"
#include "os/lock/dir_lock.h"

namespace holdfast::journal {
namespace {

class JournalTest : public JournalFixture {};

TEST_F(JournalTest, TheFirstRecordOpensAJournal) {
  const auto journal = open();
  EXPECT_TRUE(files("s").empty()) << "opening must not make a segment or notes";
  const auto receipt = journal->record(numbered(1));
  ASSERT_TRUE(receipt) << to_sentence(receipt.error());
  EXPECT_EQ(receipt->kept, Kept::kWritten);
  EXPECT_EQ(receipt->seq, 2U);
  EXPECT_EQ(files("seg-"), std::vector<std::string>{"seg-0000000000000001.jsonl"});
  const auto seen = records();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].type, "journal.opened");
  EXPECT_EQ(seen[1].data, R"({"i":1})");
  EXPECT_EQ(seen[1].writer, "4711.88231");
  EXPECT_TRUE(verified().damaged.empty());
}

TEST_F(JournalTest, ManyWritersTakeTurnsAndTheChainHolds) {
  const auto one = open();
  const auto two = open();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE((i % 3 == 0 ? one : two)->record(numbered(i)));
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(numbers(), expected);
  EXPECT_TRUE(verified().damaged.empty());
}

TEST_F(JournalTest, ADecisionIsDurableAndTheRegistryMakesItOne) {
  const auto journal = open();
  const auto receipt = journal->record(
      {.type = "lock.fail_open", .data = EventData().text("lock", "a").text("reason", "timeout")});
  ASSERT_TRUE(receipt) << to_sentence(receipt.error());
  EXPECT_EQ(receipt->kept, Kept::kDurable);
  const auto raised = journal->record(numbered(1, EventClass::kDecision));
  ASSERT_TRUE(raised);
  EXPECT_EQ(raised->kept, Kept::kDurable);
  EXPECT_EQ(raised->seq, 3U);
}

TEST_F(JournalTest, AnUnknownTypeOrAMissingFieldWritesNothing) {
  const auto journal = open();
  const auto typo = journal->record({.type = "lock.fail_opne", .data = {}});
  ASSERT_FALSE(typo);
  EXPECT_EQ(typo.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(journal->record({.type = "lock.fail_open", .data = EventData().text("lock", "a")}));
  EXPECT_TRUE(files("seg-").empty());
}

TEST_F(JournalTest, NobodyElseWritesTheJournalsOwnRecords) {
  const auto journal = open();
  const auto forged =
      journal->record({.type = "journal.full", .data = EventData().text("state", "ended")});
  ASSERT_FALSE(forged);
  EXPECT_EQ(forged.error().cause, "reserved-type");
  EXPECT_TRUE(journal->record_all({})) << "no event is nothing to do";
  EXPECT_TRUE(files("seg-").empty());
}

TEST_F(JournalTest, SeveralEventsStandTogether) {
  const auto journal = open();
  const std::vector<Event> events{numbered(1), numbered(2), numbered(3)};
  const auto receipt = journal->record_all(events);
  ASSERT_TRUE(receipt);
  EXPECT_EQ(receipt->seq, 4U);
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3}));
}

TEST_F(JournalTest, LargeDataGoesToABlobAndComesBack) {
  const auto journal = open();
  const std::string large(200'000, 'x');
  ASSERT_TRUE(journal->record({.type = "x.large", .data = EventData().text("text", large)}));
  const auto seen = records("x.large");
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].data, R"({"text":")" + large + R"("})");
  EXPECT_LT(std::filesystem::file_size(newest()), 2000U);
  EXPECT_EQ(verified().blobs, 1U);
  EXPECT_TRUE(verified().damaged.empty());
}

TEST_F(JournalTest, ASegmentIsSealedByCountAndTheNextContinuesIt) {
  const auto journal = open({.limits = {.segment_records = 10}});
  for (int i = 0; i < 35; ++i) ASSERT_TRUE(journal->record(numbered(i)));
  EXPECT_EQ(files("seg-").size(), 4U);
  EXPECT_EQ(records("journal.sealed").size(), 3U);
  EXPECT_EQ(numbers().size(), 35U);
  const VerifyResult result = verified();
  EXPECT_TRUE(result.damaged.empty());
  EXPECT_EQ(result.records, result.last_seq);
}

TEST_F(JournalTest, ASegmentIsSealedBySize) {
  const auto journal = open({.limits = {.segment_bytes = 4000}});
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(journal->record(numbered(i)));
  EXPECT_GT(files("seg-").size(), 3U);
  for (const std::string& name : files("seg-")) {
    EXPECT_LT(std::filesystem::file_size(tmp_.path(name)), 6000U);
  }
  EXPECT_TRUE(verified().damaged.empty());
}

TEST_F(JournalTest, AnotherWriterNoticesTheRotation) {
  const auto one = open();
  const auto two = open();
  ASSERT_TRUE(one->record(numbered(1)));
  ASSERT_TRUE(two->record(numbered(2)));
  ASSERT_EQ(one->rotate(), true);
  ASSERT_TRUE(two->record(numbered(3)));
  ASSERT_TRUE(one->record(numbered(4)));
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3, 4}));
  EXPECT_TRUE(verified().damaged.empty());
  const std::string sealed = read(tmp_.path(files("seg-").front()));
  EXPECT_EQ(sealed.find(R"("i":3)"), std::string::npos) << "written into a sealed segment";
}

TEST_F(JournalTest, NothingToSealIsSaid) {
  const auto journal = open();
  EXPECT_EQ(journal->rotate(), false);
}

TEST_F(JournalTest, RetentionDropsTheOldestAndSaysSoFirst) {
  const auto journal = open({.limits = {.segment_records = 10}});
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(journal->record(numbered(i)));
  const std::size_t before = files("seg-").size();
  const auto dropped = journal->retain(5000);
  ASSERT_TRUE(dropped) << to_sentence(dropped.error());
  EXPECT_GT(*dropped, 0U);
  EXPECT_EQ(files("seg-").size(), before - *dropped);
  EXPECT_EQ(records("journal.retention").size(), 1U);
  expect_sound();
  ASSERT_TRUE(journal->record(numbered(60)));
  EXPECT_EQ(numbers().back(), 60);
}

TEST_F(JournalTest, BlobsGoWithTheSegmentsThatSpeakOfThem) {
  const auto journal = open({.limits = {.segment_records = 5}});
  const std::string large(70'000, 'x');
  ASSERT_TRUE(journal->record({.type = "x.large", .data = EventData().text("text", large)}));
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(journal->record(numbered(i)));
  ASSERT_TRUE(journal->record({.type = "x.large", .data = EventData().text("other", large)}));
  ASSERT_TRUE(journal->retain(3000));
  std::size_t blobs = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(tmp_.path("blobs"))) {
    ++blobs;
  }
  EXPECT_EQ(blobs, 1U);
  expect_sound();
}

TEST_F(JournalTest, TracesWaitInMemoryUntilSomethingIsWritten) {
  const auto journal = open({.buffer_traces = true});
  const auto acquired = [&] {
    return journal->record({.type = "lock.acquired", .data = EventData().text("lock", "a")});
  };
  ASSERT_EQ(acquired()->kept, Kept::kBuffered);
  ASSERT_EQ(acquired()->kept, Kept::kBuffered);
  EXPECT_TRUE(files("seg-").empty());
  ASSERT_TRUE(journal->record(numbered(1)));
  const auto seen = records();
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[1].type, "lock.acquired");
  EXPECT_EQ(seen[3].type, "x.test") << "the order of record() calls";
  ASSERT_EQ(acquired()->kept, Kept::kBuffered);
  clock_.advance(std::chrono::seconds(1));
  ASSERT_EQ(acquired()->kept, Kept::kWritten);
  ASSERT_EQ(acquired()->kept, Kept::kBuffered);
  ASSERT_TRUE(journal->flush());
  EXPECT_EQ(records("lock.acquired").size(), 5U);
}

TEST_F(JournalTest, TheDestructorWritesBufferedTraces) {
  {
    const auto journal = open({.buffer_traces = true});
    ASSERT_TRUE(journal->record({.type = "lock.released", .data = EventData().text("lock", "a")}));
  }
  EXPECT_EQ(records("lock.released").size(), 1U);
}

// A writer that is stopped in the middle holds the lock.
class BusyJournal : public JournalFixture {
 protected:
  void SetUp() override {
    ASSERT_TRUE(open()->record(numbered(0)));
    lock_.emplace(*os::DirLock::open(tmp_.dir()));
    ASSERT_EQ(lock_->lock(Duration::zero()), true);
  }
  std::unique_ptr<Journal> impatient() { return open({.lock_wait = std::chrono::milliseconds(1)}); }

  std::optional<os::DirLock> lock_;
};

TEST_F(BusyJournal, AnEventSpillsAndTheNextWriterMergesIt) {
  const auto journal = impatient();
  ASSERT_EQ(journal->record(numbered(1))->kept, Kept::kSpilled);
  ASSERT_EQ(journal->record(numbered(2))->kept, Kept::kSpilled);
  EXPECT_EQ(files("spill-").size(), 2U);
  lock_.reset();
  clock_.advance(std::chrono::hours(1));
  ASSERT_TRUE(open()->record(numbered(3)));
  EXPECT_TRUE(files("spill-").empty());
  auto all = numbers();
  EXPECT_EQ(all.back(), 3);
  std::ranges::sort(all);
  EXPECT_EQ(all, (std::vector{0, 1, 2, 3}));
  EXPECT_TRUE(verified().damaged.empty());
}

TEST_F(BusyJournal, ALongRunningWriterMergesTooWhenItIsTold) {
  const auto running = open();
  lock_->unlock();
  ASSERT_TRUE(running->record(numbered(1)));
  ASSERT_EQ(lock_->lock(Duration::zero()), true);
  ASSERT_EQ(impatient()->record(numbered(2))->kept, Kept::kSpilled);
  lock_->unlock();
  ASSERT_TRUE(running->record(numbered(3)));
  EXPECT_EQ(numbers(), (std::vector{0, 1, 2, 3}));
}

TEST_F(BusyJournal, ASpillThatWasMergedBeforeIsNotMergedTwice) {
  ASSERT_EQ(impatient()->record(numbered(1))->kept, Kept::kSpilled);
  const std::string name = files("spill-").front();
  const std::string bytes = read(tmp_.path(name));
  lock_.reset();
  ASSERT_TRUE(open()->record(numbered(2)));
  write(tmp_.path(name), bytes);  // as if the merger had died before it removed the file
  ASSERT_TRUE(open()->record(numbered(3)));
  EXPECT_EQ(numbers(), (std::vector{0, 1, 2, 3}));
  EXPECT_TRUE(files("spill-").empty());
}

TEST_F(BusyJournal, AnUnreadableSpillIsKeptAndSaid) {
  lock_.reset();
  const std::string name = "spill-00112233445566778899aabbccddeeff.jsonl";
  write(tmp_.path(name), "");
  ASSERT_TRUE(open()->record(numbered(1)));
  const auto repaired = records("journal.repaired");
  ASSERT_EQ(repaired.size(), 1U);
  EXPECT_NE(repaired[0].data.find(name), std::string::npos);
  EXPECT_TRUE(files("spill-").empty());
  expect_sound();
}

TEST_F(BusyJournal, ADecisionIsRefused) {
  const auto receipt = impatient()->record(numbered(1, EventClass::kDecision));
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(receipt.error().cause, "journal-busy");
  lock_.reset();
  EXPECT_EQ(numbers(), std::vector{0});
}

TEST_F(JournalTest, ClockStepsChangeNothingButTheTimes) {
  const auto journal = open({.limits = {.segment_records = 4}});
  for (int i = 0; i < 12; ++i) {
    clock_.step_wall(std::chrono::hours(i % 2 == 0 ? 1000 : -2000));
    ASSERT_TRUE(journal->record(numbered(i)));
  }
  std::vector<int> expected(12);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(numbers(), expected) << "order is by number, not by time";
  EXPECT_TRUE(verified().damaged.empty());
}

}  // namespace
}  // namespace holdfast::journal
