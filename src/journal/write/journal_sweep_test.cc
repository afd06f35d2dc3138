// SPDX-License-Identifier: Apache-2.0
//
// The journal under every failing call and every death. After each: the next writer gets on,
// nothing is wrong that the journal itself does not account for, numbers have no unexplained gap,
// what was there before is there, and what was acknowledged is there.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>

#include "journal/store/journal_fixture.h"
#include "journal/write/repair.h"
#include "os/lock/dir_lock.h"
#include "os/machine/real_clock.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::journal {
namespace {

using testing::SweepCase;

constexpr int kBefore = 5;   // records x.test 0…4 are there
constexpr int kDuring = 50;  // what the body records
constexpr int kAfter = 99;   // what the next writer records

enum class Work : std::uint8_t {
  kEvent,
  kDecision,
  kRotate,
  kMend,
  kLost,
  kMerge,
  kBlob,
  kRetain,
  kRepair
};

struct Named {
  const char* name;
  Work work;
};

class JournalSweep : public JournalFixture, public ::testing::WithParamInterface<Named> {
 protected:
  void prepare() {
    tmp_.clear();
    const auto journal = open(small_segments());
    for (int i = 0; i < kBefore; ++i) ASSERT_TRUE(journal->record(numbered(i)));
    const std::string bytes = read(newest());
    switch (GetParam().work) {
      case Work::kMend:
        write(newest(), bytes + bytes.substr(0, 100));
        break;
      case Work::kRepair: {
        auto damaged = bytes;
        damaged[damaged.find(R"("i":1)") + 4] = '7';
        write(newest(), damaged);
        break;
      }
      case Work::kLost:
        clock_.advance(std::chrono::milliseconds(1));  // it leaves a note
        ASSERT_TRUE(journal->record(numbered(1000)));
        write(newest(), bytes);
        break;
      case Work::kMerge: {
        auto lock = os::DirLock::open(tmp_.dir());
        ASSERT_EQ(lock->lock(Duration::zero()), true);
        ASSERT_TRUE(open({.lock_wait = Duration::zero()})->record(numbered(kBefore)));
        break;
      }
      case Work::kRetain:
        for (int i = 0; i < 3; ++i) {
          ASSERT_TRUE(journal->record({.type = "x.filler", .data = {}}));
          ASSERT_TRUE(journal->rotate());
        }
        break;
      default:
        break;
    }
  }
  static JournalOptions small_segments() { return {.limits = {.segment_records = 100}}; }

  bool body() {
    const auto opened = try_open(small_segments());
    if (!opened) return false;
    Journal* const journal = opened->get();
    if (GetParam().work == Work::kRotate) return journal->rotate().has_value();
    if (GetParam().work == Work::kRetain) return journal->retain(1000).has_value();
    if (GetParam().work == Work::kRepair) {
      JournalRepaired seen{.kind = JournalRepaired::Kind::kDamaged};
      seen.segment = 1;
      seen.says = "a person has seen it";
      return journal->acknowledge({&seen, 1}).has_value();
    }
    Event event = numbered(kDuring);
    if (GetParam().work == Work::kDecision) event.at_least = EventClass::kDecision;
    if (GetParam().work == Work::kBlob) {
      event.data = EventData().number("i", kDuring).text("much", std::string(70'000, 'x'));
      event.at_least = EventClass::kDecision;
    }
    return journal->record(event).has_value();
  }
  bool records_something() const {
    return GetParam().work != Work::kRotate && GetParam().work != Work::kRetain &&
           GetParam().work != Work::kRepair;
  }

  void check(bool acknowledged) {
    const auto receipt = open(small_segments())->record(numbered(kAfter));
    ASSERT_TRUE(receipt) << "the next writer cannot go on: " << to_sentence(receipt.error());
    if (GetParam().work == Work::kRepair && acknowledged) {
      EXPECT_GE(records("journal.repaired").size(), 1U);
    }
    // What was lost within one boot stays an alarm until a person has seen it.
    if (GetParam().work == Work::kLost) EXPECT_TRUE(any_unexplained(verified().damaged));
    if (GetParam().work == Work::kRepair || GetParam().work == Work::kLost) {
      ASSERT_TRUE(repair(tmp_.dir(), *open(small_segments())));
    }
    expect_sound();
    const auto all = numbers();
    const auto times = [&](int number) { return std::ranges::count(all, number); };
    if (GetParam().work != Work::kRetain) {
      for (int i = 0; i < kBefore; ++i) {
        const bool damaged = GetParam().work == Work::kRepair && i == 1;
        EXPECT_EQ(times(i), damaged ? 0 : 1) << i;
      }
    }
    if (GetParam().work == Work::kMerge) {
      EXPECT_EQ(times(kBefore), 1) << "the spilled event";
    }
    EXPECT_EQ(times(kAfter), 1);
    if (acknowledged && records_something()) {
      EXPECT_GE(times(kDuring), 1);
    }
    // A failed sync makes its writer record it again in the next segment.
    const bool repeated = !records("journal.sync_error").empty();
    EXPECT_LE(times(kDuring), repeated ? 3 : 1);
  }
};

TEST_P(JournalSweep, EveryFailingCall) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { return body(); },
      .check = [&](const SweepCase&, bool succeeded) { check(succeeded); },
  });
  EXPECT_GT(runs, 40U);
}

TEST_P(JournalSweep, DeathAtEveryMutation) {
  // Shared with the process that dies: what it was told.
  auto* const acknowledged = static_cast<bool*>(
      mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(acknowledged, MAP_FAILED);
  const std::size_t mutations = testing::crash_sweep({
      .prepare =
          [&] {
            prepare();
            *acknowledged = false;
          },
      .body = [&] { *acknowledged = body(); },
      .recover = [&](std::size_t) { check(*acknowledged); },
  });
  EXPECT_GE(mutations, 2U);
  munmap(acknowledged, sizeof(bool));
}

INSTANTIATE_TEST_SUITE_P(Works, JournalSweep,
                         ::testing::Values(Named{"Event", Work::kEvent},
                                           Named{"Decision", Work::kDecision},
                                           Named{"Rotate", Work::kRotate},
                                           Named{"Mend", Work::kMend}, Named{"Lost", Work::kLost},
                                           Named{"Merge", Work::kMerge}, Named{"Blob", Work::kBlob},
                                           Named{"Retain", Work::kRetain},
                                           Named{"Repair", Work::kRepair}),
                         [](const auto& work) { return work.param.name; });

// The first record of all, from an empty directory.
class FirstRecordSweep : public JournalFixture {
 protected:
  void SetUp() override {
    open();
  }  // what is kept for the life of the process is there from now on
};

TEST_F(FirstRecordSweep, EveryFailingCallAndEveryDeath) {
  const auto check = [&] {
    ASSERT_TRUE(open()->record(numbered(kAfter)));
    expect_sound();
    EXPECT_EQ(numbers().back(), kAfter);
  };
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body =
          [&] {
            const auto journal = try_open();
            return journal && (*journal)->record(numbered(kDuring)).has_value();
          },
      .check = [&](const SweepCase&, bool) { check(); },
  });
  EXPECT_GT(runs, 60U);
  testing::crash_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body = [&] { EXPECT_TRUE(open()->record(numbered(kDuring))); },
      .recover = [&](std::size_t) { check(); },
  });
}

// Many processes, and death in the middle of their work. Judged by the reader afterwards: every
// acknowledged record is there once, numbers have no gap, the chain holds, no line is two.
class JournalTorture : public JournalFixture {
 protected:
  // Runs `work` in a child and returns its pid; the child exits 0 only if it returns true.
  template <typename Work>
  pid_t start(Work work) {
    const pid_t child = fork();
    if (child == 0) _exit(work() ? 0 : 1);
    return child;
  }
  static bool ended_well(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  static Event from(int writer, int i, EventClass at_least) {
    return {.type = "x.torture",
            .data = EventData().number("writer", writer).number("i", i),
            .at_least = at_least};
  }
  JournalOptions with_real_clock(Limits limits = {}) {
    return {.clock = &real_clock_, .limits = limits, .lock_wait = std::chrono::seconds(60)};
  }

  os::RealClock real_clock_;
};

// A million under `./dev test long`.
std::size_t record_count() {
  const char* typed = std::getenv("HOLDFAST_TORTURE_RECORDS");
  return typed != nullptr ? std::strtoull(typed, nullptr, 10) : 100'000;
}

TEST_F(JournalTorture, SixteenWritersLeaveNoGapNoForkAndNoMixedLine) {
  constexpr int kWriters = 16;
  const int each = static_cast<int>(record_count() / kWriters);
  std::array<pid_t, kWriters> children{};
  for (int writer = 0; writer < kWriters; ++writer) {
    children[static_cast<std::size_t>(writer)] = start([&] {
      // Small segments: rotation under load is part of it.
      const auto journal = open(with_real_clock({.segment_records = 50'000}));
      for (int i = 0; i < each; ++i) {
        const auto receipt = journal->record(from(writer, i, EventClass::kEvent));
        if (!receipt || receipt->kept != Kept::kWritten) return false;
      }
      return true;
    });
  }
  for (const pid_t child : children) EXPECT_TRUE(ended_well(child));

  const VerifyResult result = verified();
  EXPECT_TRUE(result.damaged.empty()) << result.damaged.front().kind;
  EXPECT_EQ(result.records, result.last_seq) << "numbers have a gap";
  // Each writer's records are all there, in the order in which it wrote them.
  std::array<int, kWriters> next{};
  std::size_t seen = 0;
  const auto snapshot = Snapshot::open(tmp_.dir());
  ASSERT_TRUE(snapshot);
  ASSERT_TRUE(scan(*snapshot, {}, [&](const ScannedRecord& record) {
    int writer = 0;
    int i = 0;
    if (std::sscanf(std::string(record.record.fields.data).c_str(), R"({"writer":%d,"i":%d})",
                    &writer, &i) == 2) {
      EXPECT_EQ(i, next.at(static_cast<std::size_t>(writer))++);
      ++seen;
    }
    return Result<os::Visit>(os::Visit::kContinue);
  }));
  EXPECT_EQ(seen, static_cast<std::size_t>(each) * kWriters);
}

// A writer tells through a pipe what was acknowledged to it: one write of two numbers each.
TEST_F(JournalTorture, KilledAtRandomEveryAcknowledgedDecisionIsThere) {
  constexpr int kWriters = 8;
  constexpr int kKills = 150;
  std::array<int, 2> acks{};
  ASSERT_EQ(pipe(acks.data()), 0);
  struct Ack {
    int writer;
    int i;
  };
  std::vector<Ack> acknowledged;
  const auto drain = [&](std::size_t at_least) {
    Ack ack{};
    for (std::size_t n = 0; n < at_least && ::read(acks[0], &ack, sizeof ack) == sizeof ack; ++n) {
      acknowledged.push_back(ack);
    }
  };
  std::mt19937 random(7);
  std::array<pid_t, kWriters> children{};
  int lives = 0;
  const auto spawn = [&] {
    const int life = lives++;
    return start([&, life] {
      const auto journal = open(with_real_clock({.segment_records = 200}));
      for (int i = 0;; ++i) {
        if (!journal->record(from(life, i, EventClass::kDecision))) return false;
        const Ack ack{.writer = life, .i = i};
        if (::write(acks[1], &ack, sizeof ack) != sizeof ack) return false;
      }
    });
  };
  for (pid_t& child : children) child = spawn();
  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    drain(1 + random() % 7);
    pid_t& victim = children.at(random() % kWriters);
    ASSERT_EQ(kill(victim, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(victim, &status, 0), victim);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a writer failed";
    victim = spawn();
  }
  for (const pid_t child : children) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  close(acks[1]);
  drain(SIZE_MAX);
  close(acks[0]);

  // The next writer mends what the last death left.
  ASSERT_TRUE(open(with_real_clock())->record(numbered(99)));
  expect_sound();
  const VerifyResult result = verified();
  EXPECT_EQ(result.records, result.last_seq) << "numbers have a gap";
  std::map<std::pair<int, int>, int> there;
  for (const Seen& seen : records("x.torture")) {
    int writer = 0;
    int i = 0;
    ASSERT_EQ(std::sscanf(seen.data.c_str(), R"({"writer":%d,"i":%d})", &writer, &i), 2);
    ++there[{writer, i}];
  }
  EXPECT_GE(acknowledged.size(), static_cast<std::size_t>(kKills));
  for (const Ack& ack : acknowledged) {
    EXPECT_EQ((there[{ack.writer, ack.i}]), 1) << ack.writer << "/" << ack.i;
  }
}

// What journald is known for: corruption that is only a writer at work.
TEST_F(JournalTorture, ReadersNeverTakeAWriterAtWorkForDamage) {
  std::array<pid_t, 3> writers{};
  for (std::size_t writer = 0; writer < writers.size(); ++writer) {
    writers[writer] = start([&] {
      const auto journal = open(with_real_clock({.segment_records = 500, .keep_bytes = 2'000'000}));
      for (int i = 0; i < 20'000; ++i) {
        if (!journal->record(from(static_cast<int>(writer), i, EventClass::kEvent))) return false;
      }
      return true;
    });
  }
  std::size_t looks = 0;
  std::uint64_t last = 0;
  for (std::size_t running = writers.size(); running > 0;) {
    const auto snapshot = Snapshot::open(tmp_.dir());
    ASSERT_TRUE(snapshot) << to_sentence(snapshot.error());
    const auto result = verify(*snapshot);
    // Retention may take a segment from under the snapshot; that is said, and no damage.
    if (!result) {
      ASSERT_EQ(result.error().cause, "segment-removed") << to_sentence(result.error());
    } else {
      for (const Damage& damage : result->damaged) {
        ASSERT_TRUE(damage.explained) << damage.kind << ": " << damage.says;
      }
      EXPECT_GE(result->last_seq, last) << "records went away";
      last = result->last_seq;
      ++looks;
    }
    int status = 0;
    while (running > 0 && waitpid(-1, &status, WNOHANG) > 0) {
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
      --running;
    }
  }
  EXPECT_GE(looks, 5U);
}

TEST_F(JournalTorture, AfterForkBothGoOn) {
  const auto journal = open(with_real_clock());
  ASSERT_TRUE(journal->record(from(0, 0, EventClass::kEvent)));
  std::array<pid_t, 4> children{};
  for (std::size_t writer = 0; writer < children.size(); ++writer) {
    children[writer] = start([&] {
      for (int i = 0; i < 2000; ++i) {
        if (!journal->record(from(static_cast<int>(writer) + 1, i, EventClass::kEvent)))
          return false;
      }
      return true;
    });
  }
  for (int i = 1; i < 2000; ++i) ASSERT_TRUE(journal->record(from(0, i, EventClass::kEvent)));
  for (const pid_t child : children) EXPECT_TRUE(ended_well(child));
  const VerifyResult result = verified();
  EXPECT_TRUE(result.damaged.empty());
  EXPECT_EQ(result.records, 1 + 5 * 2000U);
}

}  // namespace
}  // namespace holdfast::journal
