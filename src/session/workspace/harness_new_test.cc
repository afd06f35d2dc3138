// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/harness_new.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "os/machine/random.h"
#include "session/workspace/harness_new_fixture.h"
#include "session/workspace/outside.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::session {
namespace {

namespace fs = std::filesystem;

using NewHarness = NewHarnessFixture;

HarnessRecord as_kept(const HarnessRecord& record) {
  return *decode_harness_record(encode_harness_record(record), "");
}

TEST_F(NewHarness, IsThereWholeWithItsOwnerAttached) {
  HarnessOrder wanted = order();
  wanted.resume_id = "5b1c";
  wanted.ttl = std::chrono::hours(1);
  const auto made = make(wanted, true);
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->not_durable);
  const auto record = read_harness(store(), "web");
  ASSERT_TRUE(record && *record);
  EXPECT_TRUE(**record == as_kept(made->record));
  EXPECT_EQ((*record)->state, HarnessState::kReady);
  EXPECT_EQ(*directory_of(store(), **record), tmp_.path("home/sessions/web"));
  ASSERT_EQ((*record)->attached.size(), 1U);
  EXPECT_EQ((*record)->attached.front().token, made->token);
  EXPECT_EQ((*record)->attached.front().process, own_identity());
  EXPECT_EQ(names_in("home/sessions"), Names{"web"});
  EXPECT_EQ(names_in("home/sessions/web"), (Names{"harness.json", "harness.lock", "sub"}));
  EXPECT_EQ(fs::status(tmp_.path("home/sessions/web")).permissions(), fs::perms(0700));
  // The lock is given back.
  EXPECT_TRUE(HarnessHold::take(store(), "web", Duration::zero())->has_value());
}

TEST_F(NewHarness, ATakenNameSaysWhatIsThere) {
  ASSERT_TRUE(make(order()));
  const auto again = make(order());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kBusy);
  EXPECT_EQ(again.error().cause, "name-taken");
  EXPECT_NE(again.error().detail.find("session of a harness"), std::string::npos);
  for (const char* kind : {"file", "link", "fifo", "directory"}) {
    start_afresh();
    const std::string path = tmp_.path("home/sessions/web");
    if (std::string_view(kind) == "file") std::ofstream(path) << "x";
    if (std::string_view(kind) == "link") fs::create_directory_symlink(tmp_.path("out"), path);
    if (std::string_view(kind) == "fifo") {
      ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    }
    if (std::string_view(kind) == "directory") fs::create_directory(path);
    EXPECT_EQ(cause(make(order(), true)), "name-taken") << kind;
    EXPECT_EQ(names_in("home/sessions"), Names{"web"}) << kind;
    EXPECT_TRUE(names_in("out").empty());
  }
}

TEST_F(NewHarness, OutsideOfTheHomeOnlyItsRecordIsInIt) {
  const auto made = make(outside_order(), true);
  ASSERT_TRUE(made);
  EXPECT_EQ(names_in("out"), Names{"web"});
  EXPECT_EQ(names_in("out/web"), Names{"sub"});
  EXPECT_EQ(names_in("home/sessions/web"), (Names{"harness.json", "harness.lock"}));
  struct stat info{};
  ASSERT_EQ(::stat(tmp_.path("out/web").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0700U);
  const auto record = **read_harness(store(), "web");
  EXPECT_TRUE(record == as_kept(made->record));
  EXPECT_EQ(record.state, HarnessState::kReady);
  EXPECT_TRUE(record.outside);
  EXPECT_EQ(record.directory, tmp_.path("out/web"));
  EXPECT_EQ(record.inode, info.st_ino);
  EXPECT_EQ(record.device, info.st_dev);
}

TEST_F(NewHarness, ATakenPathTakesTheReservationBack) {
  std::ofstream(tmp_.path("out/web")) << "mine";
  EXPECT_EQ(cause(make(outside_order())), "path-taken");
  EXPECT_TRUE(names_in("home/sessions").empty());
  EXPECT_EQ(names_in("out"), Names{"web"});
}

// Somebody takes the path between the look and the rename.
TEST_F(NewHarness, APathThatIsTakenMeanwhileTakesTheReservationBack) {
  class Planter final : public testing::CallHook {
   public:
    explicit Planter(std::string path) : path_(std::move(path)) {}
    testing::Fate before(const testing::CallSite& call) override {
      const fs::path name = fs::path(path_).parent_path().parent_path() / "home/sessions/web";
      if (call.name == "renameat2" && !seen_ && fs::exists(name)) {
        seen_ = true;
        fs::create_directory(path_);
      }
      return {};
    }
    std::string path_;
    bool seen_ = false;
  };
  Planter planter(tmp_.path("out/web"));
  {
    const testing::ScopedCallHook hook(planter);
    EXPECT_EQ(cause(make(outside_order(), true)), "path-taken");
  }
  EXPECT_TRUE(planter.seen_);  // the name was reserved by then
  EXPECT_TRUE(names_in("home/sessions").empty());
  EXPECT_TRUE(list_outside(store())->empty());
  EXPECT_EQ(names_in("out"), Names{"web"});
  EXPECT_TRUE(names_in("out/web").empty());
}

TEST_F(NewHarness, APlaceThatIsUnsafeOrOursIsRefused) {
  const auto at = [&](const std::string& path) {
    HarnessOrder wanted = order();
    wanted.directory = path;
    return cause(make(wanted));
  };
  fs::create_directory_symlink(tmp_.path("out"), tmp_.path("link"));
  EXPECT_EQ(at(tmp_.path("link/web")), "is-link");
  EXPECT_EQ(at(tmp_.path("none/web")), "no-parent");
  EXPECT_EQ(at(tmp_.path("out/.holdfast-trash")), "reserved-name");
  EXPECT_EQ(at(tmp_.path("out/.hf-stage-") + std::string(32, 'a')), "reserved-name");
  EXPECT_EQ(at(tmp_.path("home/sessions/other")), "inside-home");
  EXPECT_EQ(at(tmp_.path("home/other")), "inside-home");
  EXPECT_EQ(at(tmp_.path("out/..")), "unsafe-name");
  EXPECT_EQ(at("relative"), "unsafe-name");
  EXPECT_TRUE(names_in("home/sessions").empty());
  EXPECT_TRUE(names_in("out").empty());
}

TEST_F(NewHarness, ANameWithSlashesStaysOneComponentOfThePath) {
  HarnessOrder wanted = outside_order();
  wanted.name = "../a/b";
  const auto made = make(wanted);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->record.directory, tmp_.path("out/%2E.%2Fa%2Fb"));
}

TEST_F(NewHarness, ATemplateWithANameOfOursIsRefusedOnlyWhereItWouldMeetOurs) {
  for (const char* name : {"harness.json", "harness.lock", "session.json", "out.log", "out.log.1",
                           "control", "session.spare", "runs"}) {
    start_afresh();
    std::ofstream(tmp_.path("template/") + name) << "x";
    EXPECT_EQ(cause(make(order(), true)), "reserved-name") << name;
    EXPECT_TRUE(names_in("home/sessions").empty());
    EXPECT_EQ(cause(make(outside_order(), true)), "(made)") << name;
  }
}

TEST_F(NewHarness, MadeUpNamesAreAllDistinctAndAvoidTakenPaths) {
  std::set<std::string> names;
  HarnessOrder wanted = outside_order();
  wanted.name.reset();
  wanted.prefix = "job";
  for (int i = 0; i < 200; ++i) {
    const auto made = make(wanted);
    ASSERT_TRUE(made);
    names.insert(made->record.name);
    EXPECT_TRUE(made->record.name.starts_with("job-"));
    EXPECT_EQ(made->record.name.find_first_of("01oil", 4), std::string::npos);
  }
  EXPECT_EQ(names.size(), 200U);
  // A path without the name can be taken once; another name does not help.
  wanted.directory = tmp_.path("out/fixed");
  EXPECT_EQ(cause(make(wanted)), "(made)");
  EXPECT_EQ(cause(make(wanted)), "path-taken");
}

// A clean-up without a grace comes between the stage and its lock, and takes it for one of a maker
// who died: by its name, by making the lock, or by having it first. The maker begins another one.
TEST_F(NewHarness, WhoseStageIsTakenByACleanUpMakesAnother) {
  class CleanUp final : public testing::CallHook {
   public:
    enum class When : std::uint8_t { kBeforeOpen, kLockMade, kLockHeld };
    CleanUp(fs::path sessions, fs::path away, When when)
        : sessions_(std::move(sessions)), away_(std::move(away)), when_(when) {}
    testing::Fate before(const testing::CallSite& call) override {
      if (done_ || !is_it(call)) return {};
      for (const auto& entry : fs::directory_iterator(sessions_)) {
        if (!os::is_stage_name(entry.path().filename().string())) continue;
        done_ = true;
        const fs::path lock = entry.path() / "harness.lock";
        if (when_ == When::kLockMade) std::ofstream(lock).close();
        if (when_ == When::kLockHeld) {
          held_ = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
          EXPECT_EQ(::flock(held_, LOCK_EX | LOCK_NB), 0);
        }
        if (when_ != When::kLockHeld) fs::rename(entry.path(), away_);
        break;
      }
      return {};
    }
    ~CleanUp() override {
      if (held_ >= 0) ::close(held_);
    }
    bool done_ = false;

   private:
    [[nodiscard]] bool is_it(const testing::CallSite& call) const {
      if (when_ == When::kBeforeOpen) return os::is_stage_name(call.path);
      if (when_ == When::kLockHeld) return call.name == "flock";
      return call.path == "harness.lock";
    }
    fs::path sessions_;
    fs::path away_;
    When when_;
    int held_ = -1;
  };
  using When = CleanUp::When;
  for (const When when : {When::kBeforeOpen, When::kLockMade, When::kLockHeld}) {
    for (const bool outside : {false, true}) {
      start_afresh();
      CleanUp clean_up(tmp_.path("home/sessions"), tmp_.path("away"), when);
      const testing::ScopedCallHook hook(clean_up);
      const auto made = make(outside ? outside_order() : order());
      EXPECT_TRUE(clean_up.done_);
      EXPECT_TRUE(made) << int(when) << " " << cause(made);
      EXPECT_EQ(visible_in("home/sessions"), Names{"web"});
    }
  }
}

// Every rename says "taken": it ends, and with longer names on the way.
TEST_F(NewHarness, WhereEveryNameIsTakenItGivesUp) {
  class Taken final : public testing::CallHook {
   public:
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name != "renameat2") return {};
      return {.kind = testing::Fate::Kind::kFail, .os_code = EEXIST};
    }
  };
  Taken taken;
  const testing::ScopedCallHook hook(taken);
  HarnessOrder wanted = order();
  wanted.name.reset();
  EXPECT_EQ(cause(make(wanted)), "name-taken");
  EXPECT_TRUE(names_in("home/sessions").empty());
}

TEST_F(NewHarness, OfSixteenWhoMakeOneNameOneGetsIt) {
  for (const bool outside : {false, true}) {
    start_afresh();
    std::vector<pid_t> makers;
    for (int i = 0; i < 16; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        const auto made = make(outside ? outside_order() : order(), true);
        const bool lost = !made && made.error().code == ErrorCode::kBusy;
        ::_exit(made ? 0 : (lost ? 75 : 1));
      }
      makers.push_back(pid);
    }
    int won = 0;
    int lost = 0;
    for (const pid_t pid : makers) {
      int status = 0;
      ASSERT_EQ(::waitpid(pid, &status, 0), pid);
      won += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
      lost += WIFEXITED(status) && WEXITSTATUS(status) == 75 ? 1 : 0;
    }
    EXPECT_EQ(won, 1);
    EXPECT_EQ(lost, 15);
    EXPECT_EQ(names_in("home/sessions"), Names{"web"});
    EXPECT_TRUE(fs::exists(tmp_.path(outside ? "out/web/sub/file" : "home/sessions/web/sub/file")));
  }
}

TEST_F(NewHarness, TheRecordAloneIsPublishedOnce) {
  HarnessRecord record{.name = "old", .id = *os::random_id()};
  record.directory = tmp_.path("out/old");
  record.outside = true;
  record.adopted = true;
  ASSERT_TRUE(publish_harness_record(store(), record));
  EXPECT_TRUE(**read_harness(store(), "old") == record);
  const auto again = publish_harness_record(store(), record);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().cause, "name-taken");
  EXPECT_EQ(names_in("home/sessions"), Names{"old"});
}

}  // namespace
}  // namespace holdfast::session
