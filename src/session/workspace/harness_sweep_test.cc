// SPDX-License-Identifier: Apache-2.0
//
// Making and ending a session of a harness under every failing call and every death: the name is
// absent or whole, and what else is left can be told for what it is.
#include "session/workspace/harness_attach.h"
#include "session/workspace/harness_new_fixture.h"
#include "session/workspace/harness_release.h"
#include "session/workspace/outside.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::session {
namespace {

namespace fs = std::filesystem;

using testing::SweepCase;

class HarnessSweep : public NewHarnessFixture {
 protected:
  [[nodiscard]] bool absent() const {
    return visible_in("home/sessions").empty() && visible_in("out").empty();
  }
  void expect_whole_inside() const {
    const auto record = read_harness(store(), "web");
    ASSERT_TRUE(record && *record);
    EXPECT_EQ((*record)->state, HarnessState::kReady);
    EXPECT_TRUE(fs::exists(tmp_.path("home/sessions/web/harness.lock")));
    EXPECT_EQ(fs::file_size(tmp_.path("home/sessions/web/sub/file")), 4U);
  }
  // The reservation of a dead maker, or the whole; and never a path that nobody knows of.
  void expect_known_outside() const {
    const auto record = read_harness(store(), "web");
    ASSERT_TRUE(record && *record);
    EXPECT_EQ((*record)->directory, tmp_.path("out/web"));
    EXPECT_TRUE(*confirmed_outside(store(), **record));
    const auto there = *os::Dir::open(tmp_.path("out"))->id_of(*os::SafeName::make("web"));
    if ((*record)->state == HarnessState::kReady) {
      ASSERT_TRUE(there);
      EXPECT_EQ(fs::file_size(tmp_.path("out/web/sub/file")), 4U);
    }
    if (there) {
      EXPECT_EQ(there->inode, (*record)->inode);
      EXPECT_EQ(there->device, (*record)->device);
    } else {
      EXPECT_EQ((*record)->state, HarnessState::kReserved);
    }
    // A stage has the name that the record tells.
    for (const std::string& name : names_in("out")) {
      EXPECT_TRUE(name == "web" || name == harness_stage_name((*record)->id).str()) << name;
    }
  }
};

TEST_F(HarnessSweep, EveryDeathInMakingLeavesNoSessionOrTheWhole) {
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

TEST_F(HarnessSweep, EveryDeathInMakingOneOutsideLeavesWhatItsRecordTells) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { start_afresh(); },
      .body = [&] { EXPECT_TRUE(make(outside_order(), true)); },
      .recover =
          [&](std::size_t died_before) {
            if (died_before == 0) {
              EXPECT_EQ((*read_harness(store(), "web"))->state, HarnessState::kReady);
              EXPECT_EQ(names_in("out"), Names{"web"});
            }
            if (!absent()) expect_known_outside();
          },
  });
  EXPECT_GT(mutations, 15U);
}

TEST_F(HarnessSweep, EveryFailingCallOfMakingLeavesNoSessionOrTheWhole) {
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

TEST_F(HarnessSweep, EveryFailingCallOfMakingOneOutsideLeavesWhatItsRecordTells) {
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

TEST_F(HarnessSweep, EveryDeathAndFailureOfEndingLeavesItEndedOrNot) {
  const os::RealClock clock;
  const auto prepare = [&] {
    start_afresh();
    ASSERT_TRUE(make(order()));
  };
  const auto body = [&] { return end(store(), "web", {}, "over", Force::kYes, clock).has_value(); };
  const auto ended = [&] {
    const auto record = read_harness(store(), "web");
    EXPECT_TRUE(record && *record);
    return record && *record && (*record)->state == HarnessState::kEnded;
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
TEST_F(HarnessSweep, EveryDeathAndFailureOfForgettingLeavesTheSessionOrItsDirectoryAlone) {
  const auto prepare = [&] {
    start_afresh();
    HarnessOrder wanted = outside_order();
    wanted.owner.reset();
    const auto made = make(wanted);
    ASSERT_TRUE(made);
    ASSERT_TRUE(detach(store(), "web", {.token = made->token}));
  };
  const auto body = [&] {
    const auto record = read_harness(store(), "web");
    if (!record || !*record) return false;
    const auto announce = [](const HarnessRecord&) { return Result<>(); };
    return forget(store(), **record, announce).has_value();
  };
  const auto forgotten = [&] {
    EXPECT_TRUE(fs::exists(tmp_.path("out/web")));
    const auto record = read_harness(store(), "web");
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
