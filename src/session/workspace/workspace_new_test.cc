// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/workspace_new.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <filesystem>
#include <set>

#include "os/dir/dir_metadata.h"
#include "os/machine/random.h"
#include "session/workspace/outside.h"
#include "session/workspace/outside_claims.h"
#include "session/workspace/workspace_new_fixture.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::session {
namespace {

namespace fs = std::filesystem;

using NewWorkspace = NewWorkspaceFixture;

WorkspaceRecord as_kept(const WorkspaceRecord& record) {
  return *decode_workspace_record(encode_workspace_record(record), "");
}

TEST_F(NewWorkspace, IsThereWholeWithItsOwnerAttached) {
  WorkspaceRequest wanted = order();
  wanted.resume_id = "5b1c";
  wanted.ttl = std::chrono::hours(1);
  const auto made = make(wanted, true);
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->not_durable);
  const auto record = read_workspace(store(), "web");
  ASSERT_TRUE(record && *record);
  EXPECT_TRUE(**record == as_kept(made->record));
  EXPECT_EQ((*record)->state, WorkspaceState::kReady);
  EXPECT_EQ(*directory_of(store(), **record), tmp_.path("home/sessions/web"));
  ASSERT_EQ((*record)->attached.size(), 1U);
  EXPECT_EQ((*record)->attached.front().token, made->token);
  EXPECT_EQ((*record)->attached.front().process, own_identity());
  EXPECT_EQ(names_in("home/sessions"), Names{"web"});
  EXPECT_EQ(names_in("home/sessions/web"), (Names{"harness.json", "harness.lock", "sub"}));
  EXPECT_EQ(fs::status(tmp_.path("home/sessions/web")).permissions(), fs::perms(0700));
  // The lock is given back.
  EXPECT_TRUE(WorkspaceHold::take(store(), "web", Duration::zero())->has_value());
}

TEST_F(NewWorkspace, ATakenNameSaysWhatIsThere) {
  ASSERT_TRUE(make(order()));
  const auto again = make(order());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kBusy);
  EXPECT_EQ(again.error().cause, "name-taken");
  EXPECT_NE(again.error().detail.find("workspace already"), std::string::npos);
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

TEST_F(NewWorkspace, OutsideOfTheHomeOnlyItsRecordIsInIt) {
  const auto made = make(outside_order(), true);
  ASSERT_TRUE(made);
  EXPECT_EQ(names_in("out"), Names{"web"});
  EXPECT_EQ(names_in("out/web"), Names{"sub"});
  EXPECT_EQ(names_in("home/sessions/web"), (Names{"harness.json", "harness.lock"}));
  struct stat info{};
  ASSERT_EQ(::stat(tmp_.path("out/web").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0700U);
  const auto record = **read_workspace(store(), "web");
  EXPECT_TRUE(record == as_kept(made->record));
  EXPECT_EQ(record.state, WorkspaceState::kReady);
  EXPECT_TRUE(record.outside);
  EXPECT_EQ(record.directory, tmp_.path("out/web"));
  EXPECT_EQ(record.inode, info.st_ino);
  EXPECT_EQ(record.device, info.st_dev);
}

TEST_F(NewWorkspace, ATakenPathTakesTheReservationBack) {
  std::ofstream(tmp_.path("out/web")) << "mine";
  EXPECT_EQ(cause(make(outside_order())), "path-taken");
  EXPECT_TRUE(names_in("home/sessions").empty());
  EXPECT_EQ(names_in("out"), Names{"web"});
}

// Somebody takes the path between the look and the rename.
TEST_F(NewWorkspace, APathThatIsTakenMeanwhileTakesTheReservationBack) {
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

TEST_F(NewWorkspace, APlaceThatIsUnsafeOrOursIsRefused) {
  const auto at = [&](const std::string& path) {
    WorkspaceRequest wanted = order();
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

TEST_F(NewWorkspace, ANameWithSlashesStaysOneComponentOfThePath) {
  WorkspaceRequest wanted = outside_order();
  wanted.name = "../a/b";
  const auto made = make(wanted);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->record.directory, tmp_.path("out/%2E.%2Fa%2Fb"));
}

TEST_F(NewWorkspace, ATemplateWithANameOfOursIsRefusedOnlyWhereItWouldMeetOurs) {
  for (const char* name : {"harness.json", "harness.lock", "session.json", "out.log", "out.log.1",
                           "control", "session.spare", "runs"}) {
    start_afresh();
    std::ofstream(tmp_.path("template/") + name) << "x";
    EXPECT_EQ(cause(make(order(), true)), "reserved-name") << name;
    EXPECT_TRUE(names_in("home/sessions").empty());
    EXPECT_EQ(cause(make(outside_order(), true)), "(made)") << name;
  }
}

TEST_F(NewWorkspace, MadeUpNamesAreAllDistinctAndAvoidTakenPaths) {
  std::set<std::string> names;
  WorkspaceRequest wanted = outside_order();
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
TEST_F(NewWorkspace, WhoseStageIsTakenByACleanUpMakesAnother) {
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
TEST_F(NewWorkspace, WhereEveryNameIsTakenItGivesUp) {
  class Taken final : public testing::CallHook {
   public:
    testing::Fate before(const testing::CallSite& call) override {
      if (call.name != "renameat2") return {};
      return {.kind = testing::Fate::Kind::kFail, .os_code = EEXIST};
    }
  };
  Taken taken;
  const testing::ScopedCallHook hook(taken);
  WorkspaceRequest wanted = order();
  wanted.name.reset();
  EXPECT_EQ(cause(make(wanted)), "name-taken");
  EXPECT_TRUE(names_in("home/sessions").empty());
}

TEST_F(NewWorkspace, OfSixteenWhoMakeOneNameOneGetsIt) {
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

TEST_F(NewWorkspace, TheRecordAloneIsPublishedOnce) {
  WorkspaceRecord record{.name = "old", .id = *os::random_id()};
  record.directory = tmp_.path("out/old");
  record.outside = true;
  record.adopted = true;
  ASSERT_TRUE(publish_workspace_record(store(), record));
  EXPECT_TRUE(**read_workspace(store(), "old") == record);
  const auto again = publish_workspace_record(store(), record);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().cause, "name-taken");
  EXPECT_EQ(names_in("home/sessions"), Names{"old"});
}

namespace fs = std::filesystem;

class OutsideList : public NewWorkspaceFixture {
 protected:
  [[nodiscard]] os::Dir open(const std::string& path) const {
    return *os::Dir::open(tmp_.path(path));
  }
  WorkspaceRecord made() const {
    auto done = make(outside_order());
    EXPECT_TRUE(done);
    return done->record;
  }
  [[nodiscard]] bool confirmed(const WorkspaceRecord& record) const {
    const auto found = confirmed_outside(store(), record);
    EXPECT_TRUE(found);
    return found && found->has_value();
  }
};

TEST_F(OutsideList, ARecordIsBelievedOnlyWhereTheListSaysTheSame) {
  const WorkspaceRecord record = made();
  EXPECT_TRUE(confirmed(record));
  const auto without = [&](const auto& change) {
    WorkspaceRecord forged = record;
    change(forged);
    return !confirmed(forged);
  };
  EXPECT_TRUE(without([](WorkspaceRecord& r) { r.directory = "/"; }));
  EXPECT_TRUE(without([](WorkspaceRecord& r) { r.name = "another"; }));
  EXPECT_TRUE(without([](WorkspaceRecord& r) { ++r.inode; }));
  EXPECT_TRUE(without([](WorkspaceRecord& r) { ++r.device; }));
  EXPECT_TRUE(without([](WorkspaceRecord& r) { r.id.bytes[0] ^= 1U; }));
  ASSERT_TRUE(remove_outside(store(), record.id));
  EXPECT_FALSE(confirmed(record));
  EXPECT_EQ(directory_of(store(), record).error().cause, "not-confirmed");
}

TEST_F(OutsideList, ADirectoryThatWasMadeAnewIsAnotherEvenWithTheSameInode) {
  const WorkspaceRecord record = made();
  OutsideEntry entry = **find_outside(store(), record.id);
  EXPECT_TRUE(*is_directory_of(entry, open("out/web")));
  if (entry.birth_ns == 0) GTEST_SKIP() << "this file system does not tell times of birth";
  --entry.birth_ns;
  EXPECT_FALSE(*is_directory_of(entry, open("out/web")));
}

TEST_F(OutsideList, WhatCannotBeReadIsAnErrorAndNotNothing) {
  const WorkspaceRecord record = made();
  const std::string file = tmp_.path("home/sessions/.holdfast-outside/" + to_hex(record.id));
  ASSERT_TRUE(fs::exists(file));
  std::ofstream(file) << "{}";
  EXPECT_EQ(list_outside(store()).error().cause, "bad-outside-entry");
  EXPECT_EQ(confirmed_outside(store(), record).error().cause, "bad-outside-entry");
  WorkspaceRequest other = outside_order();
  other.name = "other";
  EXPECT_EQ(cause(make(other)), "bad-outside-entry");
}

TEST_F(OutsideList, NoneIsMadeInTheDirectoryOfAnother) {
  made();
  WorkspaceRequest inner = order();
  inner.name = "inner";
  inner.directory = tmp_.path("out/web/inner");
  EXPECT_EQ(cause(make(inner)), "inside-another-workspace");
  fs::create_directory_symlink(tmp_.path("out/web"), tmp_.path("alias"));
  fs::create_directories(tmp_.path("out/web/deep"));
  inner.directory = tmp_.path("alias/deep/inner");
  EXPECT_EQ(cause(make(inner)), "inside-another-workspace");
  EXPECT_EQ(list_outside(store())->size(), 1U);
  // Where it was moved to, it is still that workspace's.
  fs::rename(tmp_.path("out/web"), tmp_.path("moved"));
  inner.directory = tmp_.path("moved/inner");
  EXPECT_EQ(cause(make(inner)), "inside-another-workspace");
  fs::remove_all(tmp_.path("moved"));
  inner.directory = tmp_.path("out/inner");
  EXPECT_EQ(cause(make(inner)), "(made)");
}

TEST_F(OutsideList, TheSameAboveAndBelowAreSomebodyElsesAndBesideIsNot) {
  const WorkspaceRecord record = made();
  fs::create_directories(tmp_.path("out/web/sub"));
  fs::create_directories(tmp_.path("out/beside"));
  const auto claims = OutsideClaims::read(store());
  ASSERT_TRUE(claims);
  const auto other = [&](const std::string& path, const Id128& self) {
    const auto found = claims->other_at(open(path), self);
    EXPECT_TRUE(found);
    return found->value_or("nobody");
  };
  EXPECT_EQ(other("out/web", {}), "'web'");
  EXPECT_EQ(other("out/web/sub", Id128{{1}}), "'web'");
  EXPECT_EQ(other("out", Id128{{1}}), "'web'");
  EXPECT_EQ(other("out/beside", Id128{{1}}), "nobody");
  EXPECT_EQ(other("out/web", record.id), "nobody");
  EXPECT_EQ(other("home", Id128{{1}}), "the home");
  EXPECT_EQ(other("home/sessions", Id128{{1}}), "the home");
  EXPECT_EQ(other(".", record.id), "the home");
}

class OwnerMark : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"one", "two", "work"}) {
      std::filesystem::create_directory(tmp_.path(name));
      std::filesystem::permissions(tmp_.path(name), std::filesystem::perms::owner_all);
    }
    const auto put = os::put_mark(work(), "x");
    ASSERT_TRUE(put);
    if (*put == os::Marked::kNotOffered) GTEST_SKIP() << "this file system keeps no marks";
    ASSERT_TRUE(os::remove_mark(work()));
  }
  [[nodiscard]] os::Dir work() const { return *os::Dir::open(tmp_.path("work")); }
  [[nodiscard]] SessionStore home(const std::string& name) const {
    return SessionStore(*os::Dir::open(tmp_.path(name)));
  }
  // A workspace of that home, whose directory is `work`, and its mark.
  Result<os::Marked> claim(const std::string& in, const Id128& id) const {
    const os::FileId file = work().info()->id;
    HF_TRY(write_outside(home(in), {.id = id,
                                    .name = in,
                                    .directory = work().path(),
                                    .device = file.device,
                                    .inode = file.inode,
                                    .birth_ns = *os::birth_time_of(work())}));
    return mark_owner(home(in), work(), id);
  }

  testing::TempDir tmp_;
  Id128 first_ = *os::random_id();
  Id128 second_ = *os::random_id();
};

TEST_F(OwnerMark, OfTwoHomesOneMarksIt) {
  ASSERT_EQ(*claim("one", first_), os::Marked::kMarked);
  EXPECT_FALSE(other_home_of(home("one"), work())->has_value());
  EXPECT_TRUE(other_home_of(home("two"), work())->has_value());
  EXPECT_EQ(claim("two", second_).error().cause, "other-home");
  // Its own home marks it again, for another workspace.
  EXPECT_EQ(*claim("one", second_), os::Marked::kMarked);
}

TEST_F(OwnerMark, AMarkOfASessionThatIsGoneSaysNothing) {
  ASSERT_TRUE(claim("one", first_));
  ASSERT_TRUE(remove_outside(home("one"), first_));
  EXPECT_FALSE(other_home_of(home("two"), work())->has_value());
  EXPECT_EQ(*claim("two", second_), os::Marked::kMarked);
}

TEST_F(OwnerMark, AHomeThatCannotBeReadMayHaveIt) {
  ASSERT_TRUE(claim("one", first_));
  std::filesystem::rename(tmp_.path("one"), tmp_.path("away"));
  EXPECT_TRUE(other_home_of(home("two"), work())->has_value());
}

TEST_F(OwnerMark, ACopyIsNobodys) {
  ASSERT_TRUE(claim("one", first_));
  std::filesystem::create_directory(tmp_.path("copy"));
  const os::Dir copy = *os::Dir::open(tmp_.path("copy"));
  ASSERT_EQ(*os::put_mark(copy, **os::mark_of(work())), os::Marked::kMarked);
  EXPECT_FALSE(other_home_of(home("two"), copy)->has_value());
}

TEST_F(OwnerMark, AForgedMarkKeepsADirectoryAndNeverGivesOneAway) {
  ASSERT_EQ(*os::put_mark(work(), "not a mark"), os::Marked::kMarked);
  EXPECT_TRUE(other_home_of(home("two"), work())->has_value());
  EXPECT_EQ(claim("two", second_).error().cause, "other-home");
}

TEST_F(OwnerMark, OnlyTheMarkOfTheSessionIsTakenOff) {
  ASSERT_TRUE(claim("one", first_));
  ASSERT_TRUE(unmark_owner(work(), second_));
  EXPECT_TRUE(os::mark_of(work())->has_value());
  ASSERT_TRUE(unmark_owner(work(), first_));
  EXPECT_FALSE(os::mark_of(work())->has_value());
}

}  // namespace
}  // namespace holdfast::session
