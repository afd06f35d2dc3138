// SPDX-License-Identifier: Apache-2.0
//
// The journal under every failing call and every death. After each: the next writer gets on,
// nothing is wrong that the journal itself does not account for, numbers have no unexplained gap,
// what was there before is there, and what was acknowledged is there.
#include <sys/mman.h>

#include <algorithm>

#include "journal/store/journal_fixture.h"
#include "journal/write/repair.h"
#include "os/lock/dir_lock.h"
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

}  // namespace
}  // namespace holdfast::journal
