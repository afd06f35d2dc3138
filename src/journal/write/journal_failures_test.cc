// SPDX-License-Identifier: Apache-2.0
//
// Failing syncs, seals that are not followed up, and notes that are wrong: what a writer must not
// believe.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "format/journal/journal_payload.h"
#include "format/journal/journal_record.h"
#include "format/journal/journal_state.h"
#include "journal/write/commit.h"
#include "journal/write/troubled_journal_fixture.h"

namespace holdfast::journal {
namespace {

class JournalFailures : public JournalFixture {
 protected:
  void expect_nothing_behind_a_seal() {
    const auto all = records();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      if (all[i].type != "journal.sealed") continue;
      EXPECT_EQ(all[i + 1].type, "journal.opened") << "record " << all[i + 1].seq;
    }
  }
  void expect_numbers_given_once() {
    const auto all = records();
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GT(all[i].seq, all[i - 1].seq);
  }
  static void expect_durable(const Result<EventReceipt>& receipt) {
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
    EXPECT_EQ(receipt->kept, Kept::kDurable);
  }
  static void change_one_byte(const std::string& path, std::size_t at, char byte) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at)).put(byte);
  }
  std::unique_ptr<Writer> writer() {
    return std::make_unique<Writer>(
        *os::Dir::open(tmp_.path()), Limits{}, Id128{{1}}, "host", [] { return stamp(); },
        [] { return std::int64_t{0}; });
  }
  static Stamp stamp() { return {.wall_us = 1, .boot_us = 1, .boot = "00000000", .writer = "w"}; }
  static JournalRepaired seen_damage() {
    return {.kind = JournalRepaired::Kind::kDamaged, .segment = 1, .says = "seen"};
  }
};

TEST_F(JournalFailures, AThreadThatSharesTheHandleIsNotToldDurableInTheFailedSegment) {
  constexpr auto kAtMost = std::chrono::milliseconds(200);
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1, kDecision)));
  std::atomic<int> syncs = 0;
  std::atomic<bool> other_syncs = false;
  // The kernel tells the handle of the failure once; later syncs of it work.
  Hook hook([&](const CallSite& call) -> Fate {
    if (call.name != "fdatasync") return {};
    if (syncs++ == 0) {
      const auto start = std::chrono::steady_clock::now();
      while (!other_syncs && std::chrono::steady_clock::now() - start < kAtMost) {
        std::this_thread::yield();
      }
      return failing(EIO);
    }
    other_syncs = true;
    return {};
  });
  Result<EventReceipt> one = EventReceipt{};
  Result<EventReceipt> two = EventReceipt{};
  {
    const testing::ScopedCallHook hooked(hook);
    std::thread first([&] { one = journal->record(numbered(2, kDecision)); });
    while (syncs == 0) std::this_thread::yield();
    std::thread second([&] { two = journal->record(numbered(3, kDecision)); });
    first.join();
    second.join();
  }
  const auto said = records("journal.sync_error");
  ASSERT_FALSE(said.empty());
  expect_durable(one);
  expect_durable(two);
  EXPECT_GT(one->seq, said.front().seq);
  EXPECT_GT(two->seq, said.front().seq);
  expect_sound();
}

TEST_F(JournalFailures, AProcessIsNotCoveredByASyncThatHeardNothingOfTheFailure) {
  ASSERT_TRUE(open()->record(numbered(1, kDecision)));
  const Entry entry{.stamp = stamp(),
                    .event_class = kDecision,
                    .type = "x.test",
                    .data = R"({"i":2})",
                    .blob_segment = 0};
  const auto waits = writer();
  const auto fails = writer();
  const auto fresh = writer();
  const auto waiting = waits->append({&entry, 1}, true);
  const auto failed = fails->append({&entry, 1}, true);
  ASSERT_TRUE(waiting && failed);
  Hook hook([](const CallSite& call) { return call.name == "fdatasync" ? failing(EIO) : Fate{}; });
  Result<> synced;
  {
    const testing::ScopedCallHook hooked(hook);
    synced = sync_up_to(*fails->state(), fails->boot(), *failed);
  }
  ASSERT_FALSE(synced);
  const auto later = fresh->append({&entry, 1}, true);
  ASSERT_TRUE(later) << to_sentence(later.error());
  EXPECT_NE(later->segment, failed->segment) << "appended to a poisoned segment";
  ASSERT_TRUE(sync_up_to(*fresh->state(), fresh->boot(), *later));
  {
    const testing::ScopedCallHook hooked(hook);  // what its own handle says
    EXPECT_FALSE(sync_up_to(*waits->state(), waits->boot(), *waiting));
  }
  ASSERT_TRUE(fails->replace_poisoned(*failed, synced.error(), {&entry, 1}));
  EXPECT_FALSE(records("journal.sync_error").empty());
  expect_sound();
}

TEST_F(JournalFailures, AFailedSyncIsRememberedWhenTheLockIsBusyThen) {
  const auto journal = open({.lock_wait = Duration::zero()});
  ASSERT_TRUE(journal->record(numbered(1)));
  const os::Dir dir = *os::Dir::open(tmp_.path());
  os::DirLock lock = *os::DirLock::open(dir);
  {
    bool inside = false;
    Hook hook([&](const CallSite& call) -> Fate {
      if (call.name != "fdatasync" || std::exchange(inside, true)) return {};
      EXPECT_EQ(lock.lock(Duration::zero()), true);
      return failing(EIO);
    });
    const testing::ScopedCallHook hooked(hook);
    const auto receipt = journal->record(numbered(2, kDecision));
    ASSERT_FALSE(receipt) << "acknowledged without a sync";
    EXPECT_EQ(receipt.error().code, ErrorCode::kIo);
  }
  lock.unlock();
  const auto next = open()->record(numbered(3, kDecision));
  expect_durable(next);
  const auto said = records("journal.sync_error");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_GT(next->seq, said[0].seq);
  EXPECT_EQ(files("seg-").size(), 2U);
  expect_durable(journal->record(numbered(4, kDecision)));
  EXPECT_EQ(records("journal.sync_error").size(), 1U);
  expect_sound();
}

TEST_F(JournalFailures, AFailedSyncIsSaidWhenAnotherWriterRotatedMeanwhile) {
  const auto journal = open();
  const auto other = open();
  ASSERT_TRUE(journal->record(numbered(1, kDecision)));
  {
    bool once = false;
    Hook hook([&](const CallSite& call) -> Fate {
      if (call.name != "fdatasync" || std::exchange(once, true)) return {};
      EXPECT_TRUE(other->rotate());
      return failing(EIO);
    });
    const testing::ScopedCallHook hooked(hook);
    expect_durable(journal->record(numbered(2, kDecision)));
  }
  const auto said = records("journal.sync_error");
  ASSERT_EQ(said.size(), 1U);
  const auto error = decode_journal_sync_error(said[0].data, "test");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->segment, 1U);
  EXPECT_EQ(numbers().back(), 2);
  expect_nothing_behind_a_seal();
  expect_sound();
}

TEST_F(JournalFailures, AFailedSyncOfAnAcknowledgementPoisonsTheSegment) {
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1)));
  const JournalRepaired seen = seen_damage();
  {
    Hook hook([](const CallSite& call) { return call.name == "fsync" ? failing(EIO) : Fate{}; });
    const testing::ScopedCallHook hooked(hook);
    EXPECT_FALSE(journal->acknowledge({&seen, 1}));
  }
  const auto receipt = journal->record(numbered(2, kDecision));
  expect_durable(receipt);
  const auto said = records("journal.sync_error");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_GT(receipt->seq, said[0].seq);
  EXPECT_EQ(files("seg-").size(), 2U);
  expect_sound();
}

TEST_F(JournalFailures, AnAcknowledgementWhoseSyncFailsOnceIsRepeatedInANewSegment) {
  const auto journal = open();
  ASSERT_TRUE(journal->record(numbered(1)));
  const JournalRepaired seen = seen_damage();
  {
    bool once = false;
    Hook hook([&](const CallSite& call) {
      return call.name == "fsync" && !std::exchange(once, true) ? failing(EIO) : Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    ASSERT_TRUE(journal->acknowledge({&seen, 1}));
  }
  const auto said = records("journal.sync_error");
  ASSERT_EQ(said.size(), 1U);
  ASSERT_EQ(records("journal.repaired").size(), 2U);
  EXPECT_GT(records("journal.repaired").back().seq, said[0].seq);
  expect_sound();
}

TEST_F(JournalFailures, NothingIsAppendedBehindASealWhoseNextSegmentCouldNotBeMade) {
  for (const bool by_another : {false, true}) {
    tmp_.clear();
    const auto journal = open();
    const auto other = open();
    ASSERT_TRUE(journal->record(numbered(1)));
    ASSERT_TRUE(other->record(numbered(2)));
    {
      bool sealed = false;
      Hook hook([&](const CallSite& call) -> Fate {
        if (call.name == "fsync") sealed = true;
        return call.name == "openat_tmpfile" && sealed ? failing(ENOSPC) : Fate{};
      });
      const testing::ScopedCallHook hooked(hook);
      EXPECT_FALSE(journal->rotate());
    }
    EXPECT_EQ(records().back().type, "journal.sealed");
    // Root could open it whatever its mode; others need the right to write, to find the seal.
    const auto mode = std::filesystem::status(tmp_.path(files("seg-").front())).permissions();
    EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    expect_durable((by_another ? other : journal)->record(numbered(3, kDecision)));
    EXPECT_EQ(numbers(), (std::vector{1, 2, 3}));
    EXPECT_EQ(files("seg-").size(), 2U);
    expect_nothing_behind_a_seal();
    expect_sound();
  }
}

TEST_F(JournalFailures, ASegmentIsSealedOnceWhenTheRotationOfAnAppendFailsHalfway) {
  const auto journal = open({.limits = {.segment_records = 3}});
  ASSERT_TRUE(journal->record(numbered(1)));
  ASSERT_TRUE(journal->record(numbered(2)));
  {
    bool done = false;
    bool sealed = false;
    Hook hook([&](const CallSite& call) -> Fate {
      if (call.name == "fsync") sealed = true;
      if (call.name != "openat_tmpfile" || !sealed || std::exchange(done, true)) return {};
      return failing(ENOSPC);
    });
    const testing::ScopedCallHook hooked(hook);
    const auto receipt = journal->record(numbered(3));
    EXPECT_TRUE(receipt) << to_sentence(receipt.error());
    EXPECT_TRUE(done);
  }
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3}));
  const auto all = records();
  const auto is_seal = [](const Seen& seen) { return seen.type == "journal.sealed"; };
  EXPECT_EQ(std::ranges::count_if(all, is_seal), 1);
  expect_nothing_behind_a_seal();
  expect_sound();
}

TEST_F(JournalFailures, ADecisionIsSyncedWhereAnEarlierSyncWentFurtherThanTheFileIsNow) {
  const auto journal = open();
  for (int i = 1; i <= 8; ++i) ASSERT_TRUE(journal->record(numbered(i, kDecision)));
  const std::string bytes = read(newest());
  std::size_t at = bytes.size();
  for (int i = 0; i < 6; ++i) at = bytes.rfind('\n', at - 1);
  std::filesystem::resize_file(newest(), at + 1);
  int syncs = 0;
  Hook hook([&](const CallSite& call) -> Fate {
    if (call.name == "fdatasync" || call.name == "fsync") ++syncs;
    return {};
  });
  {
    const testing::ScopedCallHook hooked(hook);
    expect_durable(journal->record(numbered(9, kDecision)));
  }
  EXPECT_GE(syncs, 1);
  EXPECT_EQ(numbers().back(), 9);
  expect_numbers_given_once();
  EXPECT_TRUE(any_unexplained(verified().damaged));
}

TEST_F(JournalFailures, ARotationThatCannotBeNotedLeavesNoSecondEnd) {
  const auto running = open();
  for (int i = 1; i <= 4; ++i) ASSERT_TRUE(running->record(numbered(i, kDecision)));
  // Damage in the middle: the segment is left without a seal, and only the note tells.
  change_one_byte(newest(), read(newest()).find(R"("i":2)") + 4, '9');
  for (const bool at_once : {true, false}) {
    bool linked = at_once;
    Hook hook([&](const CallSite& call) -> Fate {
      if (call.name == "linkat") linked = true;
      return call.name == "pwrite" && linked ? failing(EIO) : Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    EXPECT_FALSE(open()->rotate());
  }
  EXPECT_EQ(files("seg-").size(), 1U);
  expect_durable(running->record(numbered(5, kDecision)));
  expect_numbers_given_once();
  ASSERT_EQ(open()->rotate(), true);
  expect_durable(running->record(numbered(6, kDecision)));
  expect_numbers_given_once();
  EXPECT_EQ(numbers().back(), 6);
  expect_sound();
}

TEST_F(JournalFailures, ASealOfVeryManyTypesFitsIntoItsRecord) {
  const auto journal = open();
  for (int i = 0; i < 1100; ++i) {
    const std::string type = "x.job." + std::string(50, 'a') + std::to_string(1000 + i);
    ASSERT_TRUE(journal->record({.type = type, .data = EventData().number("i", i)}));
  }
  ASSERT_EQ(journal->rotate(), true);
  ASSERT_TRUE(journal->record(numbered(1)));
  ASSERT_TRUE(open()->record(numbered(2)));
  EXPECT_EQ(records("journal.sealed").size(), 1U);
  EXPECT_TRUE(verified().damaged.empty());
}

TEST_F(JournalFailures, ARetentionOfVeryManySegmentsFitsIntoItsRecords) {
  const auto journal = open();
  for (int i = 0; i < 800; ++i) {
    ASSERT_TRUE(journal->record(numbered(i)));
    ASSERT_TRUE(journal->rotate());
  }
  const auto dropped = journal->retain(0);
  ASSERT_TRUE(dropped) << to_sentence(dropped.error());
  EXPECT_EQ(*dropped, 799U);
  EXPECT_EQ(files("seg-").size(), 2U);
  ASSERT_TRUE(journal->record(numbered(1000)));
  ASSERT_TRUE(open()->record(numbered(1001)));
  EXPECT_EQ(numbers(), (std::vector{799, 1000, 1001}));
  expect_sound();
}

TEST_F(JournalFailures, AWriterWhoseSpillsCouldNotBeMergedIsRefusedAtOpen) {
  const auto open_as = [&](std::size_t length) {
    JournalOptions options{.writer = std::string(length, 'w'), .clock = &clock_};
    options.lock_wait = Duration::zero();
    return Journal::open(*os::Dir::open(tmp_.path()), std::move(options));
  };
  const std::size_t longest = kMaxWriterBytes - 33;  // '~' and an id
  for (const std::size_t length : {longest + 1, std::size_t{80}}) {
    const auto refused = open_as(length);
    ASSERT_FALSE(refused) << length;
    EXPECT_EQ(refused.error().cause, "bad-writer");
  }
  {
    const auto journal = open_as(longest);
    ASSERT_TRUE(journal) << to_sentence(journal.error());
    ASSERT_TRUE((*journal)->record(numbered(1)));
    const os::Dir dir = *os::Dir::open(tmp_.path());
    os::DirLock lock = *os::DirLock::open(dir);
    ASSERT_EQ(lock.lock(Duration::zero()), true);
    const auto spilled = (*journal)->record(numbered(2));
    ASSERT_TRUE(spilled);
    EXPECT_EQ(spilled->kept, Kept::kSpilled);
  }
  ASSERT_TRUE(open()->record(numbered(3)));
  ASSERT_TRUE(open()->record(numbered(4)));
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3, 4}));
  expect_sound();
}

TEST_F(JournalFailures, ASegmentRewrittenShorterIsRefused) {
  ASSERT_TRUE(open()->record(numbered(1)));
  const std::string name = files("seg-").back();
  testing::TempDir copy;
  std::filesystem::copy(
      tmp_.path(), copy.path(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  ASSERT_TRUE(open()->record(numbered(123456789, kDecision)));
  {
    const auto forger =
        Journal::open(*os::Dir::open(copy.path()), {.writer = "4711.88231", .clock = &clock_});
    ASSERT_TRUE(forger);
    ASSERT_TRUE((*forger)->record(numbered(7, kDecision)));
  }
  const std::string forged = read(copy.path(name));
  ASSERT_LT(forged.size(), read(newest()).size());
  write(newest(), forged);
  const auto receipt = open()->record(numbered(8));
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(receipt.error().cause, "head-changed");
  EXPECT_TRUE(read(newest()) == forged) << "a refused append changed something";
}

TEST_F(JournalFailures, ALastRecordDamagedInPlaceIsRefused) {
  auto journal = open();
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(journal->record(numbered(i, kDecision)));
  journal.reset();
  std::string bytes = read(newest());
  bytes[bytes.size() - 100] ^= 1;
  write(newest(), bytes);
  const auto receipt = open()->record(numbered(4));
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(receipt.error().cause, "head-changed");
  EXPECT_TRUE(read(newest()) == bytes) << "a refused append changed something";
}

TEST_F(JournalFailures, ANoteThatCannotBeTrueIsIgnored) {
  ASSERT_TRUE(open()->record(numbered(1)));
  std::string state = read(tmp_.path("state"));
  auto note = decode_head_note(std::string_view(state).substr(kHeadSlot, kStateSlotBytes));
  ASSERT_TRUE(note);
  note->seq = ~std::uint64_t{0};
  note->size += 10;
  state.replace(kHeadSlot, kStateSlotBytes, encode_note(*note));
  write(tmp_.path("state"), state);
  for (int i = 2; i < 4; ++i) {
    const auto receipt = open()->record(numbered(i));
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
    EXPECT_LT(receipt->seq, 10U);
  }
  EXPECT_EQ(numbers(), (std::vector{1, 2, 3}));
  expect_numbers_given_once();
  expect_sound();
}

TEST_F(JournalFailures, ASealThatMayNotBeDurableIsSyncedBeforeTheNextSegment) {
  ASSERT_TRUE(open()->record(numbered(1)));
  if (const pid_t child = fork(); child == 0) {
    Hook hook([](const CallSite& call) -> Fate {
      return call.name == "fsync" ? Fate{.kind = Fate::Kind::kDie} : Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    static_cast<void>(open()->rotate());
    _exit(0);
  } else {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  ASSERT_EQ(records().back().type, "journal.sealed");
  bool synced = false;
  bool linked = false;
  Hook hook([&](const CallSite& call) -> Fate {
    if (call.name == "linkat") linked = true;
    if (call.name != "fsync" || std::exchange(synced, true)) return {};
    EXPECT_FALSE(linked);
    return failing(EIO);  // of the sealed segment: the new one says so, and is good itself
  });
  {
    const testing::ScopedCallHook hooked(hook);
    const auto receipt = open()->record(numbered(2));
    ASSERT_TRUE(receipt) << to_sentence(receipt.error());
  }
  EXPECT_TRUE(synced);
  EXPECT_EQ(records("journal.sync_error").size(), 1U);
  EXPECT_EQ(numbers(), (std::vector{1, 2}));
  expect_nothing_behind_a_seal();
  expect_sound();
}

}  // namespace
}  // namespace holdfast::journal
