// SPDX-License-Identifier: Apache-2.0
//
// A session's files under every failing call and every death: there is always one whole record, and
// no byte of a log is lost.
#include "session/record/control.h"

#include <cerrno>

#include "session/record/log_files.h"
#include "session/record/session_fixture.h"
#include "session/workspace/outside.h"
#include "session/workspace/workspace_attach.h"
#include "session/workspace/workspace_new_fixture.h"
#include "session/workspace/workspace_release.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/sys_swap_linux.h"

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

TEST_F(SessionSweep, NoRecordReplacesAnotherUnsynced) {
  SessionRecord next = small_session();
  next.number = 12;
  for (const auto durability : {os::Durability::kNone, os::Durability::kFull}) {
    prepare();
    {
      const testing::MissingCalls missing{{"fsync", EIO}, {"fdatasync", EIO}};
      testing::OldKernel kernel(missing);
      const testing::ScopedCallHook hook(kernel);
      EXPECT_FALSE(make().write(next, durability));
    }
    EXPECT_EQ((*make().read())->number, 11U);
  }
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

// Making and ending a workspace under every failing call and every death: the name is
// absent or whole, and what else is left can be told for what it is.
namespace fs = std::filesystem;

using testing::SweepCase;

class WorkspaceSweep : public NewWorkspaceFixture {
 protected:
  [[nodiscard]] bool absent() const {
    return visible_in("home/sessions").empty() && visible_in("out").empty();
  }
  void expect_whole_inside() const {
    const auto record = read_workspace(store(), "web");
    ASSERT_TRUE(record && *record);
    EXPECT_EQ((*record)->state, WorkspaceState::kReady);
    EXPECT_TRUE(fs::exists(tmp_.path("home/sessions/web/harness.lock")));
    EXPECT_EQ(fs::file_size(tmp_.path("home/sessions/web/sub/file")), 4U);
  }
  // The reservation of a dead maker, or the whole; and never a path that nobody knows of.
  void expect_known_outside() const {
    const auto record = read_workspace(store(), "web");
    ASSERT_TRUE(record && *record);
    EXPECT_EQ((*record)->directory, tmp_.path("out/web"));
    EXPECT_TRUE(*confirmed_outside(store(), **record));
    const auto there = *os::Dir::open(tmp_.path("out"))->id_of(*os::SafeName::make("web"));
    if ((*record)->state == WorkspaceState::kReady) {
      ASSERT_TRUE(there);
      EXPECT_EQ(fs::file_size(tmp_.path("out/web/sub/file")), 4U);
    }
    if (there) {
      EXPECT_EQ(there->inode, (*record)->inode);
      EXPECT_EQ(there->device, (*record)->device);
    } else {
      EXPECT_EQ((*record)->state, WorkspaceState::kReserved);
    }
    // A stage has the name that the record tells.
    for (const std::string& name : names_in("out")) {
      EXPECT_TRUE(name == "web" || name == workspace_stage_name((*record)->id).str()) << name;
    }
  }
};

TEST_F(WorkspaceSweep, EveryDeathInMakingLeavesNoWorkspaceOrTheWhole) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { start_afresh(); },
      .body = [&] { EXPECT_TRUE(make(order(), true)); },
      .recover =
          [&](std::size_t died_before) {
            if (died_before == 0 || !absent()) expect_whole_inside();
            if (absent()) {
              EXPECT_TRUE(make(order(), true));
            }
            expect_whole_inside();
          },
  });
  EXPECT_GT(mutations, 10U);
}

TEST_F(WorkspaceSweep, EveryDeathInMakingOneOutsideLeavesWhatItsRecordTells) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { start_afresh(); },
      .body = [&] { EXPECT_TRUE(make(outside_order(), true)); },
      .recover =
          [&](std::size_t died_before) {
            if (died_before == 0) {
              EXPECT_EQ((*read_workspace(store(), "web"))->state, WorkspaceState::kReady);
              EXPECT_EQ(names_in("out"), Names{"web"});
            }
            if (!absent()) expect_known_outside();
          },
  });
  EXPECT_GT(mutations, 15U);
}

TEST_F(WorkspaceSweep, EveryFailingCallOfMakingLeavesNoWorkspaceOrTheWhole) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { start_afresh(); },
      .body = [&] { return make(order(), true).has_value(); },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            if (succeeded) {
              expect_whole_inside();
              EXPECT_EQ(names_in("home/sessions"), Names{"web"}) << fault.description;
              return;
            }
            EXPECT_TRUE(absent()) << fault.description;
            if (!fault.for_good) {
              EXPECT_TRUE(names_in("home/sessions").empty()) << fault.description;
            }
          },
  });
  EXPECT_GT(runs, 100U);
}

TEST_F(WorkspaceSweep, EveryFailingCallOfMakingOneOutsideLeavesWhatItsRecordTells) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { start_afresh(); },
      .body = [&] { return make(outside_order(), true).has_value(); },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            if (succeeded) expect_known_outside();
            if (succeeded) return;
            if (!absent()) expect_known_outside();
            if (!fault.for_good) {
              EXPECT_TRUE(names_in("home/sessions").empty()) << fault.description;
              EXPECT_TRUE(names_in("out").empty()) << fault.description;
            }
          },
  });
  EXPECT_GT(runs, 150U);
}

TEST_F(WorkspaceSweep, EveryDeathAndFailureOfEndingLeavesItEndedOrNot) {
  const os::RealClock clock;
  const auto prepare = [&] {
    start_afresh();
    ASSERT_TRUE(make(order()));
  };
  const auto body = [&] { return end(store(), "web", {}, "over", Force::kYes, clock).has_value(); };
  const auto ended = [&] {
    const auto record = read_workspace(store(), "web");
    EXPECT_TRUE(record && *record);
    return record && *record && (*record)->state == WorkspaceState::kEnded;
  };
  testing::crash_sweep({
      .prepare = prepare,
      .body = [&] { EXPECT_TRUE(body()); },
      .recover = [&](std::size_t died_before) { EXPECT_TRUE(ended() || died_before != 0); },
  });
  const std::size_t runs = testing::fault_sweep({
      .prepare = prepare,
      .body = body,
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            EXPECT_TRUE(ended() == succeeded || fault.fails("fsync")) << fault.description;
          },
  });
  EXPECT_GT(runs, 30U);
}

// The directory stays in any case; the session is there, or its name is free again.
TEST_F(WorkspaceSweep, EveryDeathAndFailureOfForgettingLeavesTheWorkspaceOrItsDirectoryAlone) {
  const auto prepare = [&] {
    start_afresh();
    WorkspaceRequest wanted = outside_order();
    wanted.owner.reset();
    const auto made = make(wanted);
    ASSERT_TRUE(made);
    ASSERT_TRUE(detach(store(), "web", {.token = made->token}));
  };
  const auto body = [&] {
    const auto record = read_workspace(store(), "web");
    if (!record || !*record) return false;
    const auto announce = [](const WorkspaceRecord&) { return Result<>(); };
    return forget(store(), **record, announce).has_value();
  };
  const auto forgotten = [&] {
    EXPECT_TRUE(fs::exists(tmp_.path("out/web")));
    const auto record = read_workspace(store(), "web");
    EXPECT_TRUE(record);
    if (record && *record) {
      EXPECT_TRUE(*confirmed_outside(store(), **record));
      return false;
    }
    EXPECT_FALSE(fs::exists(tmp_.path("home/sessions/web")));
    return true;
  };
  testing::crash_sweep({
      .prepare = prepare,
      .body = [&] { EXPECT_TRUE(body()); },
      .recover = [&](std::size_t died_before) { EXPECT_TRUE(forgotten() || died_before != 0); },
  });
  const std::size_t runs = testing::fault_sweep({
      .prepare = prepare,
      .body = body,
      .check = [&](const SweepCase& fault,
                   bool succeeded) { EXPECT_TRUE(forgotten() || !succeeded) << fault.description; },
  });
  EXPECT_GT(runs, 30U);
}

}  // namespace
}  // namespace holdfast::session
