// SPDX-License-Identifier: Apache-2.0
//
// Ledgers under every failing call and every death: the ledger is the whole old or the whole new
// one, no entry is lost, and a damaged one is in its place or in its copy, byte for byte.
#include "file/ledger/ledger.h"
#include "file/replace/backup.h"
#include "file/replace/file_fixture.h"
#include "format/file/ledger_text.h"
#include "os/file/staged_file.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/manual_clock.h"

namespace holdfast::file {
namespace {

using testing::SweepCase;

constexpr std::string_view kLedgerSweepOld = "[\n  {\"n\":1}\n]\n";
constexpr std::string_view kLedgerSweepNew =
    "[\n  {\"n\":1},\n  {\"n\":2,\"time\":\"2023-11-14T22:13:20.000Z\"}\n]\n";
constexpr std::string_view kDamaged = "[\n  {\"n\":1},\n  {\"n\":";

class LedgerSweep : public FileFixture {
 protected:
  // What a process does once for all must not be counted in the first run.
  void SetUp() override { ASSERT_TRUE(replace(at("first"), "x", {})); }

  void prepare(std::string_view content) {
    tmp_.clear();
    put("h.json", content, 0640);
  }
  bool append() { return append_ledger(at("h.json"), "{\"n\":2}", {}, clock_).has_value(); }
  bool repair() {
    const auto done = repair_ledger(at("h.json"), {}, clock_);
    // "It is whole now, but a power cut may undo that" is never said of one that was not changed.
    EXPECT_NE(code_of(done), ErrorCode::kNotDurable);
    return done.has_value();
  }

  // How many whole copies of the damaged ledger there are. Every copy is whole.
  [[nodiscard]] std::size_t copies() const {
    std::size_t count = 0;
    for (const std::string& name : names()) {
      if (!name.starts_with("h.json.corrupt-")) continue;
      EXPECT_EQ(content(name), kDamaged) << name;
      ++count;
    }
    return count;
  }
  // Where nobody could see any more what was displaced, it is kept, as a stage or as a backup.
  void expect_nothing_else(bool displaced_may_stay) const {
    for (const std::string& name : names()) {
      const bool known = name == "h.json" || name == os::kDirLockName.text() ||
                         name.starts_with("h.json.corrupt-");
      const bool displaced =
          os::is_stage_name(name) || is_backup_of(name, *os::SafeName::make("h.json"));
      EXPECT_TRUE(known || (displaced_may_stay && displaced)) << name;
    }
  }
  [[nodiscard]] static bool displaced_may_stay(const SweepCase& fault) {
    return fault.fails("unlinkat") || fault.fails("fstatat") ||
           (fault.fails("renameat2_exchange") && !fault.second_call.empty());
  }

  testing::ManualClock clock_;
};

TEST_F(LedgerSweep, EveryFailingCallOfAnAppendLeavesTheOldOrTheNewLedger) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(kLedgerSweepOld); },
      .body = [&] { return append(); },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            EXPECT_EQ(content("h.json"), succeeded ? kLedgerSweepNew : kLedgerSweepOld);
            EXPECT_EQ(mode("h.json"), 0640U);
            expect_nothing_else(displaced_may_stay(fault));
          },
      .second_faults = true,
  });
  EXPECT_GT(runs, 60U);
}

TEST_F(LedgerSweep, EveryDeathInAnAppendLosesNoEntry) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(kLedgerSweepOld); },
      .body = [&] { EXPECT_TRUE(append()); },
      .recover =
          [&](std::size_t died_before) {
            const std::string now = content("h.json");
            EXPECT_TRUE(now == kLedgerSweepNew || (now == kLedgerSweepOld && died_before != 0))
                << now;
            EXPECT_TRUE(append());
            const std::string after = content("h.json");
            const std::size_t entries = now == kLedgerSweepNew ? 3 : 2;
            EXPECT_EQ(read_ledger(after, LedgerNaming::kOther).entries.size(), entries) << after;
            expect_nothing_else(true);
          },
  });
  EXPECT_GT(mutations, 3U);
}

TEST_F(LedgerSweep, EveryFailingCallOfARepairLeavesTheDamagedBytesSomewhere) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(kDamaged); },
      .body = [&] { return repair(); },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            EXPECT_EQ(content("h.json"), succeeded ? kLedgerSweepOld : kDamaged);
            EXPECT_EQ(mode("h.json"), 0640U);
            EXPECT_LE(copies(), 1U);
            EXPECT_TRUE(!succeeded || copies() == 1);
            expect_nothing_else(displaced_may_stay(fault));
          },
      .second_faults = true,
  });
  EXPECT_GT(runs, 80U);
}

TEST_F(LedgerSweep, EveryDeathInARepairLeavesTheDamagedBytesAndTheNextOneFinishes) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(kDamaged); },
      .body = [&] { EXPECT_TRUE(repair()); },
      .recover =
          [&](std::size_t died_before) {
            const std::string now = content("h.json");
            EXPECT_TRUE((now == kLedgerSweepOld && copies() == 1) ||
                        (now == kDamaged && died_before != 0))
                << now;
            EXPECT_TRUE(repair());
            EXPECT_EQ(content("h.json"), kLedgerSweepOld);
            EXPECT_EQ(copies(), 1U);  // the same one again, where there was one
            expect_nothing_else(true);
          },
  });
  EXPECT_GT(mutations, 5U);
}

}  // namespace
}  // namespace holdfast::file
