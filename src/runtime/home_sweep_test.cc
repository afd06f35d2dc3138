// SPDX-License-Identifier: Apache-2.0
//
// Making a home under every failing call, every death, and many creators at once.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "runtime/home.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/manual_clock.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast {
namespace {

namespace fs = std::filesystem;
using testing::SweepCase;

class HomeSweep : public ::testing::Test {
 protected:
  HomeLocation place() {
    return {.path = tmp_.path("state/hf"), .source = HomeLocation::Source::kUserHome};
  }
  Result<Home> make() { return Home::open_or_create(place(), clock_); }
  // What a later process finds: "absent", "empty", "home", or what is wrong.
  std::string state() {
    if (!fs::exists(tmp_.path("state/hf"))) return "absent";
    const auto home = Home::find(place());
    if (!home) return to_sentence(home.error());
    return *home ? "home" : "empty";
  }

  testing::TempDir tmp_;
  testing::ManualClock clock_;
};

TEST_F(HomeSweep, EveryFailingCallLeavesAHomeOrNothingHalfMade) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body =
          [&] {
            const auto home = make();
            return home && home->open_part(HomePart::kLocks).has_value();
          },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            const std::string left = state();
            // An empty directory may stay only where its own removal was made to fail, too.
            const bool empty_is_fair = fault.call == "unlinkat";
            EXPECT_TRUE(left == "home" || (!succeeded && left == "absent") ||
                        (!succeeded && left == "empty" && empty_is_fair))
                << left;
            EXPECT_TRUE(make()) << "the next call does not finish it";
            EXPECT_EQ(state(), "home");
          },
  });
  EXPECT_GT(runs, 100U);
}

TEST_F(HomeSweep, DeathAtEveryMutationIsFinishedByTheNextCall) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body = [&] { EXPECT_TRUE(make()); },
      .recover =
          [&](std::size_t died_before) {
            const std::string left = state();
            EXPECT_TRUE(left == "home" ||
                        (died_before != 0 && (left == "absent" || left == "empty")))
                << left;
            EXPECT_TRUE(make());
            EXPECT_EQ(state(), "home");
          },
      .missing = {{"openat_tmpfile", EOPNOTSUPP}},
  });
  EXPECT_GE(mutations, 8U);
}

TEST_F(HomeSweep, ManyCreatorsAtOnceAllGetTheSameHome) {
  constexpr int kCreators = 16;
  for (int round = 0; round < 20; ++round) {
    tmp_.clear();
    int gate[2];
    int answers[2];
    ASSERT_EQ(::pipe(gate), 0);
    ASSERT_EQ(::pipe(answers), 0);
    for (int i = 0; i < kCreators; ++i) {
      const pid_t child = ::fork();
      ASSERT_NE(child, -1);
      if (child != 0) continue;
      char byte = 0;
      ::close(gate[1]);
      static_cast<void>(::read(gate[0], &byte, 1));  // end of file opens the gate for all at once
      clock_.advance(std::chrono::seconds(i));       // so that each would make another marker
      const auto home = make();
      const bool used = home && home->open_part(HomePart::kLocks);
      const WallTime seen = used ? home->marker().created : WallTime::min();
      ::_exit(::write(answers[1], &seen, sizeof(seen)) == sizeof(seen) ? 0 : 1);
    }
    ::close(gate[0]);
    ::close(gate[1]);
    for (int i = 0; i < kCreators; ++i) {
      int status = -1;
      ASSERT_GT(::wait(&status), 0);
      EXPECT_EQ(status, 0);
    }
    const auto home = make();
    ASSERT_TRUE(home);
    for (int i = 0; i < kCreators; ++i) {
      WallTime seen;
      ASSERT_EQ(::read(answers[0], &seen, sizeof(seen)), static_cast<ssize_t>(sizeof(seen)));
      EXPECT_EQ(seen, home->marker().created);
    }
    ::close(answers[0]);
    ::close(answers[1]);
  }
}

// Finishes the home, and uses it, when somebody lists it: the worst moment, after the first look
// for a marker.
class FinishedWhenListed final : public testing::CallHook {
 public:
  FinishedWhenListed(std::string marker, std::string home)
      : marker_(std::move(marker)), home_(std::move(home)) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != "getdents64" || finished_) return {};
    finished_ = true;
    fs::copy(marker_, home_ + "/format");
    fs::create_directory(home_ + "/journal");
    return {};
  }
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  std::string marker_;
  std::string home_;
  bool finished_ = false;
};

TEST_F(HomeSweep, AHomeThatIsFinishedBetweenTwoLooksIsAHome) {
  ASSERT_TRUE(make());
  fs::copy(tmp_.path("state/hf/format"), tmp_.path("marker"));
  for (const bool creates : {false, true}) {
    fs::remove_all(tmp_.path("state/hf"));
    fs::create_directory(tmp_.path("state/hf"));
    fs::permissions(tmp_.path("state/hf"), fs::perms::owner_all);
    FinishedWhenListed other(tmp_.path("marker"), tmp_.path("state/hf"));
    const testing::ScopedCallHook hook(other);
    if (creates) {
      const auto home = make();
      EXPECT_TRUE(home) << to_sentence(home.error());
    } else {
      const auto home = Home::find(place());
      ASSERT_TRUE(home) << to_sentence(home.error());
      EXPECT_TRUE(*home);
    }
    EXPECT_TRUE(other.finished());
  }
}

}  // namespace
}  // namespace holdfast
