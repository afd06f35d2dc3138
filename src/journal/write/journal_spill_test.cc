// SPDX-License-Identifier: Apache-2.0
//
// What waits outside the journal (spill files, buffered traces, counts of dropped events) gets into
// it exactly once, and stops nobody.
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "format/journal/journal_payload.h"
#include "journal/store/blob_store.h"
#include "journal/store/journal_fixture.h"
#include "journal/write/troubled_journal_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::journal {
namespace {

class JournalSpill : public TroubledJournal {};

TEST_F(JournalSpill, ABadSpillFileStopsNobodyAndIsKept) {
  ASSERT_TRUE(open()->record(numbered(1)));
  int i = 2;
  for (const std::string& bytes : {std::string(140'000, 'x'), std::string(), std::string("{}\n")}) {
    const std::string bad = "spill-00000000000000000000000000000001.jsonl";
    write(tmp_.path(bad), bytes);
    const auto journal = impatient();
    {
      const Busy busy(tmp_.path());
      expect_spilled(journal->record(numbered(i++)));
    }
    for (int times = 0; times < 3; ++times) {
      const auto receipt = open()->record(numbered(i++, kDecision));
      ASSERT_TRUE(receipt) << to_sentence(receipt.error());
    }
    EXPECT_TRUE(files("spill-").empty());
    const auto said = decode_journal_repaired(records("journal.repaired").back().data, "test");
    ASSERT_TRUE(said && said->blob);
    EXPECT_NE(said->says.find(bad), std::string::npos) << said->says;
    const auto kept = get_blob(tmp_.dir(), {.digest = *said->blob, .segment = said->segment});
    ASSERT_TRUE(kept && *kept);
    EXPECT_TRUE(**kept == bytes);
    expect_sound();
    ASSERT_EQ(open()->rotate(), true);
    ASSERT_EQ(open()->rotate(), false);
    ASSERT_TRUE(open()->record(numbered(i++)));
    ASSERT_EQ(open()->rotate(), true);  // the same name may come again
  }
  const auto all = numbers();
  EXPECT_TRUE(std::ranges::is_sorted(all));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(i - 1));
  expect_sound();
}

TEST_F(JournalSpill, ASpillNameThatIsNoFileStopsNobody) {
  ASSERT_TRUE(open()->record(numbered(1)));
  std::filesystem::create_directory(tmp_.path("spill-00000000000000000000000000000001.jsonl"));
  std::filesystem::create_symlink("nowhere",
                                  tmp_.path("spill-00000000000000000000000000000002.jsonl"));
  const auto journal = impatient();
  {
    const Busy busy(tmp_.path());
    expect_spilled(journal->record(numbered(2)));
  }
  for (int i = 3; i < 6; ++i) {
    const auto receipt = open()->record(numbered(i, kDecision));
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
  }
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3, 4, 5}));
  expect_sound();
}

TEST_F(JournalSpill, EventsOfOneCallSpillTogetherAndInOrder) {
  const auto journal = impatient();
  ASSERT_TRUE(journal->record(numbered(0)));
  const std::vector<Event> first{numbered(1), numbered(2), numbered(3)};
  const std::vector<Event> second{numbered(4), numbered(5)};
  {
    const Busy busy(tmp_.path());
    int links = 0;
    Hook hook([&](const CallSite& call) {
      return call.name == "linkat" && ++links == 3 ? failing(ENOSPC) : Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    expect_spilled(journal->record_all(first));
    clock_.advance(std::chrono::milliseconds(1));
    expect_spilled(journal->record_all(second));
  }
  ASSERT_TRUE(open()->record(numbered(6)));
  EXPECT_EQ(numbers(), (std::vector{0, 1, 2, 3, 4, 5, 6}));
  const auto all = records("x.test");
  EXPECT_EQ(all[1].writer, all[3].writer) << "one spill";
  EXPECT_NE(all[3].writer, all[4].writer);
  EXPECT_EQ(all.back().seq, all.front().seq + 6);
  expect_sound();
}

TEST_F(JournalSpill, WhereTheSpillFailsNoneOfTheEventsIsKept) {
  const auto journal = impatient();
  ASSERT_TRUE(journal->record(numbered(0)));
  const std::vector<Event> events{numbered(1), numbered(2), numbered(3)};
  {
    const Busy busy(tmp_.path());
    Hook hook(
        [](const CallSite& call) { return call.name == "linkat" ? failing(ENOSPC) : Fate{}; });
    const testing::ScopedCallHook hooked(hook);
    EXPECT_FALSE(journal->record_all(events));
  }
  ASSERT_TRUE(open()->record(numbered(4)));
  EXPECT_EQ(numbers(), (std::vector{0, 4}));
  EXPECT_TRUE(files("spill-").empty());
  expect_sound();
}

TEST_F(JournalSpill, LargeDataOfASpilledEventOutlivesTheSegmentItWasStoredFor) {
  {
    const auto journal = impatient();
    ASSERT_TRUE(journal->record(numbered(1)));
    const Busy busy(tmp_.path());
    expect_spilled(journal->record(large()));
  }
  const auto journal = open();
  const JournalRepaired seen{.kind = JournalRepaired::Kind::kDamaged, .segment = 1, .says = "seen"};
  // None of these merges spills.
  ASSERT_EQ(journal->rotate(), true);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(journal->acknowledge({&seen, 1}));
    ASSERT_EQ(journal->rotate(), true);
  }
  ASSERT_EQ(files("spill-").size(), 1U);
  ASSERT_TRUE(journal->record(numbered(2)));
  ASSERT_EQ(journal->rotate(), true);
  ASSERT_TRUE(journal->record(numbered(3)));
  const auto dropped = journal->retain(0);
  ASSERT_TRUE(dropped);
  EXPECT_GE(*dropped, 2U);
  const auto big = records("x.big");
  ASSERT_EQ(big.size(), 1U);
  EXPECT_EQ(big[0].data, R"({"t":")" + std::string(100'000, 'y') + R"("})");
  expect_sound();
}

TEST_F(JournalSpill, DataThatLooksLikeABlobReferenceComesBackAsItWas) {
  const EventData data = blob_data({.digest = {}, .segment = 1}, 5);
  const auto journal = impatient();
  ASSERT_TRUE(journal->record({.type = "x.like", .data = data}));
  {
    const Busy busy(tmp_.path());
    expect_spilled(journal->record({.type = "x.like", .data = data}));
  }
  ASSERT_TRUE(open()->record({.type = "x.like", .data = data, .at_least = kDecision}));
  const auto seen = records("x.like");
  ASSERT_EQ(seen.size(), 3U);
  for (const Seen& one : seen) EXPECT_EQ(one.data, data.json());
  EXPECT_TRUE(verified().damaged.empty());
}

TEST_F(JournalSpill, AWriterThatDroppedNothingSaysWhatAnotherDropped) {
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1)));
  drop_one();
  for (int i = 3; i < 6; ++i) ASSERT_TRUE(journal->record(numbered(i)));
  ASSERT_TRUE(open()->record(numbered(6)));
  EXPECT_EQ(records("journal.full").size(), 1U);
  EXPECT_EQ(dropped_events_said(), 1U);
  expect_sound();
}

TEST_F(JournalSpill, TheReserveServesAlsoWhereTheNotesAreGone) {
  ASSERT_TRUE(open()->record(numbered(1)));
  ASSERT_TRUE(std::filesystem::exists(tmp_.path("reserve")));
  std::filesystem::remove(tmp_.path("state"));
  bool given = false;
  Hook hook([&](const CallSite& call) -> Fate {
    if (call.name == "unlinkat") given = true;
    return call.name == "write" && !given ? failing(ENOSPC) : Fate{};
  });
  {
    const testing::ScopedCallHook hooked(hook);
    const auto receipt = open()->record(numbered(2, kDecision));
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
    EXPECT_EQ(receipt->kept, Kept::kDurable);
  }
  EXPECT_TRUE(given);
  EXPECT_EQ(numbers(), (std::vector{1, 2}));
  expect_sound();
}

TEST_F(JournalSpill, BufferedTracesOutliveARefusedDecision) {
  const auto journal = open({.lock_wait = Duration::zero(), .buffer_traces = true});
  for (const std::string_view lock : {"a", "b", "c"}) {
    const auto receipt = journal->record(trace(lock));
    ASSERT_TRUE(receipt);
    ASSERT_EQ(receipt->kept, Kept::kBuffered);
  }
  {
    const Busy busy(tmp_.path());
    const auto refused = journal->record(numbered(9, kDecision));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().cause, "journal-busy");
  }
  ASSERT_TRUE(journal->flush());
  ASSERT_TRUE(journal->record(numbered(10)));
  EXPECT_EQ(traces(), (std::vector{trace_data("a"), trace_data("b"), trace_data("c")}));
  EXPECT_EQ(numbers(), std::vector{10}) << "a refused decision was recorded";
  expect_sound();
}

TEST_F(JournalSpill, BufferedTracesOutliveAnAppendThatMustStoreItsBlobAnew) {
  const auto journal = open({.buffer_traces = true});
  const auto other = open();
  ASSERT_TRUE(journal->record(numbered(0)));
  ASSERT_TRUE(journal->record(trace("a")));
  bool once = false;
  Hook hook([&](const CallSite& call) -> Fate {
    if (call.name != "flock" || std::exchange(once, true)) return {};
    for (int i = 1; i <= 3; ++i) {
      EXPECT_TRUE(other->record(numbered(i)));
      EXPECT_TRUE(other->rotate());
    }
    return {};
  });
  {
    const testing::ScopedCallHook hooked(hook);
    const auto receipt = journal->record(large());
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
  }
  EXPECT_TRUE(once);
  EXPECT_EQ(traces(), std::vector{trace_data("a")});
  EXPECT_EQ(records("x.big").size(), 1U);
  EXPECT_EQ(numbers(), (std::vector{0, 1, 2, 3}));
  expect_sound();
}

TEST_F(JournalSpill, AForkedChildDoesNotRepeatItsParentsTraces) {
  auto journal = open({.buffer_traces = true});
  for (const bool child_writes : {false, true}) {
    ASSERT_TRUE(journal->record(trace("parent")));
    ASSERT_TRUE(lives([&] {
      if (child_writes) static_cast<void>(journal->record(trace("child")));
      journal.reset();
    }));
  }
  journal.reset();
  EXPECT_EQ(traces(),
            (std::vector{trace_data("child"), trace_data("parent"), trace_data("parent")}));
  expect_sound();
}

// A sync that fails is never taken for one that worked, not even by the next writer.
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

// What a full disk has cost is said exactly once, whatever happens to whoever says it.
class JournalDropped : public TroubledJournal {};

TEST_F(JournalDropped, DroppedEventsAreSaidOnceWhereverTheWriterDies) {
  for (const auto kind : {Fate::Kind::kDie, Fate::Kind::kTear}) {
    bool lived = false;
    for (int last = 1; !lived; ++last) {
      tmp_.clear();
      ASSERT_TRUE(open()->record(numbered(1)));
      ASSERT_NO_FATAL_FAILURE(drop_one());
      lived = lives([&] {
        int calls = 0;
        Hook hook([&](const CallSite& call) -> Fate {
          if (!call.mutates || ++calls != last) return {};
          return {.kind = call.transfer_bytes != 0 ? kind : Fate::Kind::kDie};
        });
        const testing::ScopedCallHook hooked(hook);
        static_cast<void>(open()->record(numbered(3)));
      });
      for (int i = 4; i < 6; ++i) ASSERT_TRUE(open()->record(numbered(i)));
      EXPECT_EQ(dropped_events_said(), 1U) << "died at change " << last << " kind " << int(kind);
      expect_sound();
      ASSERT_LT(last, 100);
    }
  }
}

TEST_F(JournalDropped, DroppedEventsAreSaidWhenSayingSoFailedFirst) {
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1)));
  drop_one();
  {
    Hook hook([](const CallSite& call) {
      return call.name == "write" || call.name == "fallocate" ? failing(ENOSPC) : Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    EXPECT_FALSE(journal->record(numbered(2)));  // would have said it; is dropped as well
  }
  for (int i = 3; i < 7; ++i) ASSERT_TRUE(journal->record(numbered(i)));
  EXPECT_EQ(dropped_events_said(), 2U);
  expect_sound();
}

TEST_F(JournalDropped, DroppedEventsAreSaidWhereTheSayerDiedAndTheNextOneRotates) {
  for (int last = 1; last < 12; ++last) {
    tmp_.clear();
    ASSERT_TRUE(open()->record(numbered(1)));
    ASSERT_NO_FATAL_FAILURE(drop_one());
    static_cast<void>(lives([&] {
      int calls = 0;
      Hook hook([&](const CallSite& call) -> Fate {
        if (!call.mutates || ++calls != last) return {};
        return {.kind = Fate::Kind::kDie};
      });
      const testing::ScopedCallHook hooked(hook);
      static_cast<void>(open()->record(numbered(3)));
    }));
    ASSERT_TRUE(open()->rotate());
    for (int i = 4; i < 6; ++i) ASSERT_TRUE(open()->record(numbered(i)));
    EXPECT_EQ(dropped_events_said(), 1U) << "died at change " << last;
  }
}

}  // namespace
}  // namespace holdfast::journal
