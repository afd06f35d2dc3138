// SPDX-License-Identifier: Apache-2.0
//
// A session's files under every failing call and every death: there is always one whole record, and
// no byte of a log is lost.
#include "session/record/control.h"
#include "session/record/log_files.h"
#include "session/record/session_fixture.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::session {
namespace {

using testing::SweepCase;

class SessionSweep : public SessionFixture {
 protected:
  void SetUp() override { ASSERT_TRUE(proc::own_identity()); }

  void prepare() {
    tmp_.clear();
    const SessionDir dir = make();
    SessionRecord record = small_session();
    record.state = SessionState::kExited;
    record.number = 11;
    ASSERT_TRUE(dir.write(record, os::Durability::kNone));
    put("out.log.1", "old ");
    put("out.log", "new");
    for (int run = 1; run <= 10; ++run) {
      std::filesystem::create_directories(path("runs/" + std::to_string(run)));
      std::ofstream(path("runs/" + std::to_string(run) + "/out.log")) << run;
    }
  }
  [[nodiscard]] std::string log_of(std::uint64_t number) const {
    const SessionDir dir = make();
    auto log = LogReader::open(dir, number);
    EXPECT_TRUE(log && *log);
    if (!log || !*log) return "";
    std::string all;
    for (;;) {
      const std::string piece = *(*log)->read_some();
      if (piece.empty()) return all;
      all += piece;
    }
  }
  // Whatever happened: the record of run 11 is there, and its log.
  void expect_whole() const {
    const auto record = make().read();
    ASSERT_TRUE(record && *record);
    EXPECT_EQ((*record)->number, 11U);
    EXPECT_EQ(log_of(11), "old new");
    EXPECT_EQ(log_of(10), "10");
  }
};

TEST_F(SessionSweep, EveryDeathInAnArchivingLosesNothingAndTheNextOneEndsIt) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { EXPECT_TRUE(make().archive(11)); },
      .recover =
          [&](std::size_t) {
            expect_whole();
            const SessionDir dir = make();
            EXPECT_TRUE(dir.archive(11));
            expect_whole();
            EXPECT_FALSE(exists("out.log"));
            EXPECT_FALSE(exists("runs/1"));
            EXPECT_EQ(content("runs/11/out.log"), "new");
            EXPECT_EQ(*dir.next_number(), 12U);
          },
  });
  EXPECT_GT(mutations, 8U);
}

TEST_F(SessionSweep, EveryFailingCallOfAnArchivingLosesNothing) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            const auto dir = store_.find_or_make("fix-160");
            return dir && dir->archive(11);
          },
      .check =
          [&](const SweepCase&, bool succeeded) {
            expect_whole();
            EXPECT_TRUE(succeeded ? !exists("out.log") : make().archive(11).has_value());
          },
  });
  EXPECT_GT(runs, 40U);
}

TEST_F(SessionSweep, EveryDeathAndFailureOfAWriteLeavesTheOldOrTheNewRecord) {
  SessionRecord next = small_session();
  next.number = 12;
  const auto number = [&] {
    const auto record = make().read();
    EXPECT_TRUE(record && *record);
    return record && *record ? (*record)->number : 0;
  };
  testing::crash_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { EXPECT_TRUE(make().write(next, os::Durability::kFull)); },
      .recover =
          [&](std::size_t died_before) {
            EXPECT_TRUE(number() == 12 || (died_before != 0 && number() == 11));
          },
  });
  testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            const auto dir = store_.find_or_make("fix-160");
            return dir && dir->write(next, os::Durability::kFull);
          },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            const bool only_not_durable = fault.fails("fsync");
            EXPECT_TRUE(number() == (succeeded ? 12U : 11U) || only_not_durable);
          },
  });
}

TEST_F(SessionSweep, EveryFailingCallOfReadingIsAnErrorAndNeverNoSession) {
  testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            const auto dir = store_.find("fix-160");
            if (!dir) return false;
            EXPECT_TRUE(dir->has_value());
            const auto record = (*dir)->read();
            if (!record) return false;
            EXPECT_TRUE(record->has_value());
            return true;
          },
      .check = [](const SweepCase&, bool) {},
  });
}

TEST_F(SessionSweep, EveryFailingCallOfTheControlIsAnErrorAndNeverAWait) {
  testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            const auto dir = store_.find_or_make("fix-160");
            if (!dir) return false;
            auto control = Control::make(dir->dir());
            if (!control) return false;
            const auto asked = ask(dir->dir(), {});
            const auto requests = control->read_requests();
            if (!asked || !requests) return false;
            return *asked == Asked::kAsked && requests->requests.size() == 1;
          },
      .check = [](const SweepCase&, bool) {},
  });
}

}  // namespace
}  // namespace holdfast::session
