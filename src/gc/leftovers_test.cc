// SPDX-License-Identifier: Apache-2.0
#include "gc/leftovers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "gc/gc_fixture.h"
#include "session/workspace/outside.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::gc {
namespace {

namespace fs = std::filesystem;

// The real clock, some time later.
class LaterClock final : public Clock {
 public:
  explicit LaterClock(Duration by) : by_(by) {}
  [[nodiscard]] WallTime wall() const override { return real_.wall() + by_; }
  [[nodiscard]] BootTime boot() const override { return real_.boot(); }
  [[nodiscard]] MonoTime mono() const override { return real_.mono(); }

 private:
  os::RealClock real_;
  Duration by_;
};

class Leftovers : public GcFixture {
 protected:
  void SetUp() override { fresh(); }
  template <typename Do>
  void with_services(Duration later, const Do& act) {
    const session::SessionStore sessions = store();
    const os::Dir home = *os::Dir::open(at("home"));
    const LaterClock clock(later);
    act(Services{.sessions = sessions,
                 .home = home,
                 .locks = locks_,
                 .events = events_,
                 .clock = clock,
                 .stop = stop_,
                 .claims = nobody_counts});
  }
  void orphans(Duration later, const std::vector<Id128>& known = {}) {
    with_services(later, [&](const Services& services) {
      remove_orphan_entries(services, Duration::zero(), known, report_);
    });
  }
  [[nodiscard]] bool listed(const WorkspaceRecord& record) const {
    return session::find_outside(store(), record.id)->has_value();
  }
};

// While a stage is emptied it has its name no more: its maker publishes nothing of it.
TEST_F(Leftovers, AStageIsOutOfItsMakersReachBeforeAnythingInItGoes) {
  const std::string stage = "sessions/" + session::workspace_stage_name(*os::random_id()).str();
  fs::create_directory(at(stage));
  put(stage + "/file");
  struct Watch final : testing::CallHook {
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name == "unlinkat") in_place = in_place || fs::exists(stage);
      unlinked = unlinked || call.name == "unlinkat";
      return {};
    }
    std::string stage;
    bool unlinked = false;
    bool in_place = false;
  } watch;
  watch.stage = at(stage);
  with_services({}, [&](const Services& services) {
    const testing::ScopedCallHook hooked(watch);
    remove_stages(services, Duration::zero(), {stage.substr(9)}, report_);
  });
  EXPECT_TRUE(watch.unlinked);
  EXPECT_FALSE(watch.in_place);
  EXPECT_FALSE(there(stage));
  EXPECT_TRUE(fs::is_empty(at("sessions/.holdfast-trash")));
  EXPECT_TRUE(report_.warnings.empty());
}

// The maker may be about to make its lock: a clean-up that takes its stage has the lock first.
TEST_F(Leftovers, AStageWithoutALockIsTakenWithOne) {
  const std::string stage = "sessions/" + session::workspace_stage_name(*os::random_id()).str();
  fs::create_directory(at(stage));
  struct Watch final : testing::CallHook {
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name != "renameat2" || !fs::exists(lock)) return {};
      const int other = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
      held = other >= 0 && ::flock(other, LOCK_EX | LOCK_NB) != 0;
      ::close(other);
      return {};
    }
    std::string lock;
    bool held = false;
  } watch;
  watch.lock = at(stage + "/harness.lock");
  with_services({}, [&](const Services& services) {
    const testing::ScopedCallHook hooked(watch);
    remove_stages(services, Duration::zero(), {stage.substr(9)}, report_);
  });
  EXPECT_TRUE(watch.held);
  EXPECT_FALSE(there(stage));
}

TEST_F(Leftovers, AnEntryThatNoRecordIsAboutGoesWhenNobodyCanBeAtIt) {
  WorkspaceRecord lost = record("lost");
  outside(lost, "place");
  list(lost);
  orphans({});
  EXPECT_TRUE(listed(lost));  // somebody may be about to write its record
  orphans(std::chrono::minutes(2), {lost.id});
  EXPECT_TRUE(listed(lost));  // the survey has seen it
  orphans(std::chrono::minutes(2));
  EXPECT_FALSE(listed(lost));
  EXPECT_TRUE(there("place/file"));
}

TEST_F(Leftovers, TheEntryOfAWorkspaceStaysAlsoWhileItIsInTheTrash) {
  WorkspaceRecord over = ended("over");
  outside(over, "place");
  publish(over);
  orphans(std::chrono::minutes(2));
  EXPECT_TRUE(listed(over));
  ASSERT_TRUE(clean());
  ASSERT_FALSE(there("place"));
  orphans(std::chrono::minutes(2));
  EXPECT_TRUE(listed(over));
}

}  // namespace
}  // namespace holdfast::gc
