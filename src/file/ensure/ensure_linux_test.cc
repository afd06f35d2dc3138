// SPDX-License-Identifier: Apache-2.0
//
// What depends on mode bits, owners by number, links to files, and names of any bytes.
#include "file/ensure/ensure.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <functional>

#include "file/ensure/ensure_fixture.h"
#include "file/ensure/ensure_follow.h"
#include "file/replace/status_linux_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::file {
namespace {

using EnsureLinuxNames = std::vector<std::string>;
namespace fs = std::filesystem;

class EnsureOnLinux : public EnsureFixture {};

TEST_F(EnsureOnLinux, AFifoIsOfTheWrongType) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(cause_of(ensure({file("pipe")})), "wrong-type");
  EXPECT_EQ(cause_of(ensure({dir("pipe")})), "wrong-type");
}

TEST_F(EnsureOnLinux, ModesAreExactWhateverTheUmask) {
  for (const mode_t mask : {mode_t{0}, mode_t{077}}) {
    tmp_.clear();
    const ScopedUmask scoped(mask);
    ManifestEntry deep = file("p/q/f", 0666);
    deep.parents = true;
    ASSERT_TRUE(ensure({dir("d", 0777), file("f", 0604), file("s", 04755), deep}));
    EXPECT_EQ(mode("d"), 0777U);
    EXPECT_EQ(mode("f"), 0604U);
    EXPECT_EQ(mode("s"), 04755U);
    EXPECT_EQ(mode("p"), 0755U);
    EXPECT_EQ(mode("p/q"), 0755U);
    EXPECT_EQ(mode("p/q/f"), 0666U);
    EXPECT_EQ(created(), (EnsureLinuxNames{"d", "f", "s", "p", "p/q", "p/q/f"}));
  }
}

TEST_F(EnsureOnLinux, LinkAnywhereIsRefusedAndNeverFollowed) {
  fs::create_directory(at("real"));
  fs::create_symlink(at("real"), at("link"));
  fs::create_symlink(at("nowhere"), at("dangling"));
  put("target", "x");
  fs::create_symlink(at("target"), at("to-file"));
  ManifestEntry below = file("link/sub/f");
  below.parents = true;
  ManifestEntry below_dangling = file("dangling/f");
  below_dangling.parents = true;
  for (const ManifestEntry& entry : {file("link/f"), below, below_dangling, dir("link"),
                                     dir("dangling"), file("dangling"), file("to-file")}) {
    const auto result = ensure({entry});
    EXPECT_EQ(code_of(result), ErrorCode::kRefused) << entry.path;
    EXPECT_EQ(cause_of(result), "is-link") << entry.path;
    const bool names_it = result.error().subject == at("link") ||
                          result.error().subject == at("dangling") ||
                          result.error().subject == at("to-file");
    EXPECT_TRUE(names_it) << result.error().subject;
  }
  EXPECT_TRUE(fs::is_empty(at("real")));
  EXPECT_FALSE(fs::exists(at("nowhere")));
  EXPECT_EQ(content("target"), "x");
}

TEST_F(EnsureOnLinux, DriftIsReportedAndLeftAlone) {
  put("f", "x", 0600);
  fs::create_directory(at("d"));
  ASSERT_EQ(::chmod(at("d").c_str(), 0700), 0);
  ASSERT_TRUE(ensure({file("f", 0644), dir("d", 0755), file("new")}));
  EXPECT_EQ(created(), EnsureLinuxNames{"new"});
  ASSERT_EQ(done.drift.size(), 2U);
  const EnsureDone::Differing& drift = done.drift.at(1);
  EXPECT_EQ(drift.path, at("f"));
  EXPECT_EQ(drift.differences.at(0).what, "mode");
  EXPECT_EQ(drift.differences.at(0).is, "0600");
  EXPECT_EQ(drift.differences.at(0).declared, "0644");
  EXPECT_EQ(mode("f"), 0600U);
  EXPECT_EQ(mode("d"), 0700U);
}

TEST_F(EnsureOnLinux, PinnedModeIsSetAndTheContentStays) {
  put("f", "x", 0600);
  fs::create_directory(at("d"));
  ManifestEntry pinned_file = file("f", 0644);
  ManifestEntry pinned_dir = dir("d", 02775);
  pinned_file.pin = pinned_dir.pin = true;
  ASSERT_TRUE(ensure({pinned_file, pinned_dir}));
  EXPECT_EQ(mode("f"), 0644U);
  EXPECT_EQ(mode("d"), 02775U);
  EXPECT_EQ(content("f"), "x");
  EXPECT_EQ(done.pinned.size(), 2U);
  EXPECT_TRUE(done.drift.empty());
  ASSERT_TRUE(ensure({pinned_file, pinned_dir}));
  EXPECT_EQ(done.present, 2U);
}

TEST_F(EnsureOnLinux, FileWithOtherNamesIsNotPinned) {
  put("f", "x", 0600);
  fs::create_hard_link(at("f"), at("other"));
  ManifestEntry pinned = file("f", 0644);
  EXPECT_TRUE(ensure({pinned}));
  pinned.pin = true;
  EXPECT_EQ(cause_of(ensure({pinned})), "hard-linked");
  EXPECT_EQ(mode("f"), 0600U);
  EXPECT_TRUE(ensure({file("f", 0600)}));
}

TEST_F(EnsureOnLinux, OwnerIsGivenToNewThingsAndComparedOnOldOnes) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives things away";
  ManifestEntry new_file = file("f", 04711);
  ManifestEntry new_dir = dir("d");
  new_file.owner = new_dir.owner = Ids{1234, 4321};
  ASSERT_TRUE(ensure({new_file, new_dir}));
  EXPECT_EQ(status_of(at("f")).st_uid, 1234U);
  EXPECT_EQ(status_of(at("f")).st_gid, 4321U);
  EXPECT_EQ(mode("f"), 04711U);
  EXPECT_EQ(status_of(at("d")).st_uid, 1234U);

  new_file.owner = Ids{1, 1};
  ASSERT_TRUE(ensure({new_file}));
  ASSERT_EQ(done.drift.size(), 1U);
  EXPECT_EQ(done.drift.front().differences.front().is, "1234:4321");
  new_file.pin = true;
  ASSERT_TRUE(ensure({new_file}));
  EXPECT_EQ(status_of(at("f")).st_uid, 1U);
  EXPECT_EQ(mode("f"), 04711U);
}

TEST_F(EnsureOnLinux, WithoutADeclaredModeOnlyNewThingsGetIt) {
  put("f", "x", 04711);
  ManifestEntry entry = file("f", 0644);
  entry.any_mode = true;
  ASSERT_TRUE(ensure({entry}));
  EXPECT_EQ(done.present, 1U);
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives things away";
  entry.owner = Ids{1, 1};
  entry.pin = true;
  ASSERT_TRUE(ensure({entry}));
  EXPECT_EQ(status_of(at("f")).st_uid, 1U);
  EXPECT_EQ(mode("f"), 04711U);
}

TEST_F(EnsureOnLinux, NamesOfUsersBecomeIds) {
  std::vector<ManifestEntry> entries{file("f"), file("g")};
  entries.at(0).owner = UserName{"root"};
  entries.at(1).owner = Ids{7, 8};
  ASSERT_TRUE(resolve_owners(entries));
  EXPECT_EQ(entries.at(0).owner, OwnerText(Ids{0, 0}));
  EXPECT_EQ(entries.at(1).owner, OwnerText(Ids{7, 8}));
  entries.at(0).owner = UserName{"no such user"};
  EXPECT_EQ(cause_of(resolve_owners(entries)), "unknown-user");
}

TEST_F(EnsureOnLinux, LookTellsMissingDriftAndWrongTypeAndChangesNothing) {
  put("f", "x", 0600);
  EXPECT_EQ(look(file("f", 0600)).found, Found::kPresent);
  EXPECT_EQ(look(file("f", 0644)).found, Found::kDrift);
  EXPECT_EQ(look(file("none")).found, Found::kMissing);
  EXPECT_EQ(look(file("no/parent/here")).found, Found::kMissing);
  EXPECT_EQ(look(dir("f")).found, Found::kRefused);
  EXPECT_EQ(names(), EnsureLinuxNames{"f"});
}

TEST_F(EnsureOnLinux, OddNamesAreOrdinary) {
  const std::string odd = "a\nb'\"$(x)\\ \xff";
  ASSERT_TRUE(ensure({dir(odd), file(odd + "/" + odd)}));
  EXPECT_EQ(created(), (EnsureLinuxNames{odd, odd + "/" + odd}));
  EXPECT_EQ(cause_of(ensure({file(std::string(300, 'x'))})), "unsafe-name");
}

TEST_F(EnsureOnLinux, RacingCreatorWinsAndIsThenLookedAt) {
  const std::vector<ManifestEntry> entries{dir("d"), file("f"), file("z")};
  const EnsurePlan plan = plan_ensure(entries, Purpose::kApply);
  ASSERT_EQ(plan.refusal(), nullptr);
  put("f", "the other one's", 0640);
  fs::create_directory(at("d"));
  ASSERT_EQ(::chmod(at("d").c_str(), 0700), 0);
  ASSERT_TRUE(apply_ensure(entries, plan, {}, done));
  EXPECT_EQ(created(), EnsureLinuxNames{"z"});
  EXPECT_EQ(content("f"), "the other one's");
  ASSERT_EQ(done.drift.size(), 1U);
  EXPECT_EQ(mode("d"), 0700U);
}

TEST_F(EnsureOnLinux, RacingCreatorOfAnotherTypeIsRefused) {
  const std::vector<ManifestEntry> entries{dir("d"), file("f")};
  for (const bool with_link : {false, true}) {
    tmp_.clear();
    done = {};
    const EnsurePlan plan = plan_ensure(entries, Purpose::kApply);
    if (with_link) {
      fs::create_symlink(at("elsewhere"), at("f"));
    } else {
      fs::create_directory(at("f"));
    }
    const auto result = apply_ensure(entries, plan, {}, done);
    EXPECT_EQ(cause_of(result), with_link ? "is-link" : "wrong-type");
    EXPECT_EQ(created(), EnsureLinuxNames{"d"});
    EXPECT_NE(result.error().detail.find("before that 1 "), std::string::npos);
    EXPECT_FALSE(fs::exists(at("elsewhere")));
  }
}

TEST_F(EnsureOnLinux, ParentSwappedForALinkAfterThePlanIsRefused) {
  fs::create_directory(at("p"));
  fs::create_directory(at("away"));
  const std::vector<ManifestEntry> entries{file("p/f")};
  const EnsurePlan plan = plan_ensure(entries, Purpose::kApply);
  fs::rename(at("p"), at("old"));
  fs::create_symlink(at("away"), at("p"));
  EXPECT_EQ(cause_of(apply_ensure(entries, plan, {}, done)), "is-link");
  EXPECT_TRUE(fs::is_empty(at("away")));
}

// Links that are followed, and that are swapped at the worst moments: between the plan and the act,
// while the file's lock is waited for, and between the last look at the way and the act itself.
using EnsureFollowNames = std::vector<std::string>;
namespace fs = std::filesystem;

class EnsureFollow : public EnsureFixture {
 protected:
  void SetUp() override {
    fs::create_directories(at("real/sub"));
    fs::create_directories(at("victim/sub"));
    fs::create_symlink("real", at("way"));
  }
  Result<> follow(const std::vector<ManifestEntry>& entries, const EnsureOptions& options = {}) {
    return ensure(entries, Links::kFollow, options);
  }
  void swap() const {
    fs::create_symlink("victim", at("other"));
    fs::rename(at("other"), at("way"));
  }
  void expect_victim_untouched() const {
    EXPECT_FALSE(fs::exists(at("victim/f")));
    EXPECT_TRUE(fs::is_empty(at("victim/sub")));
  }
  // Below the test's directory.
  [[nodiscard]] std::string leads(std::string_view name) const {
    const auto way = follow_links(at(name), TrustDir::kOnlyOwn);
    if (!way) return way.error().cause;
    return way->path.starts_with(tmp_.path()) ? way->path.substr(tmp_.path().size()) : way->path;
  }
};

TEST_F(EnsureFollow, EachComponentIsResolvedAsTheKernelDoes) {
  put("real/sub/f", "x");
  fs::create_symlink("sub/../sub/./f", at("real/up"));
  fs::create_symlink("../way/sub", at("victim/back"));
  fs::create_symlink(at("victim/back"), at("far"));
  fs::create_symlink("far/../up", at("physical"));  // `..` of where `far` leads
  fs::create_symlink("/", at("root"));
  EXPECT_EQ(leads("real/sub/f"), "/real/sub/f");
  EXPECT_EQ(leads("way/sub/f"), "/real/sub/f");
  EXPECT_EQ(leads("way/up"), "/real/sub/f");
  EXPECT_EQ(leads("far/f"), "/real/sub/f");
  EXPECT_EQ(leads("physical"), "/real/sub/f");
  EXPECT_EQ(leads("way/new/deeper"), "/real/new/deeper");
  EXPECT_EQ(leads("way/sub/f/below"), "/real/sub/f/below");
  EXPECT_EQ(leads("root/no-such-thing"), "/no-such-thing");
}

TEST_F(EnsureFollow, ALinkThatLeadsToNothingOrRoundIsRefused) {
  fs::create_symlink("nowhere", at("dangling"));
  fs::create_symlink("nowhere/../real", at("through-nothing"));
  fs::create_symlink("round", at("round"));
  EXPECT_EQ(leads("dangling"), "dangling-link");
  EXPECT_EQ(leads("dangling/f"), "dangling-link");
  EXPECT_EQ(leads("through-nothing/f"), "dangling-link");
  EXPECT_EQ(leads("round"), "too-many-links");
  ManifestEntry below = file("dangling/f");
  below.parents = true;
  EXPECT_EQ(cause_of(follow({file("a"), below})), "dangling-link");
  EXPECT_FALSE(fs::exists(at("a")));
}

TEST_F(EnsureFollow, WhatIsMissingIsMadeWhereTheLinksLead) {
  ManifestEntry deep = file("way/a/b/f", 0604);
  deep.parents = true;
  deep.initial = "text";
  ASSERT_TRUE(follow({deep, dir("way/sub/d", 0711), file("way/sub/d/g")}));
  EXPECT_EQ(content("real/a/b/f"), "text");
  EXPECT_EQ(mode("real/a/b/f"), 0604U);
  EXPECT_EQ(mode("real/sub/d"), 0711U);
  // Told as it was declared; what nobody declared, where it is.
  EXPECT_EQ(created(),
            (EnsureFollowNames{"real/a", "real/a/b", "way/a/b/f", "way/sub/d", "way/sub/d/g"}));
  ASSERT_TRUE(follow({deep, dir("way/sub/d", 0711), file("way/sub/d/g")}));
  EXPECT_EQ(done.present, 3U);
  EXPECT_TRUE(fs::is_symlink(at("way")));
}

TEST_F(EnsureFollow, WithoutTheOptionALinkIsRefused) {
  EXPECT_EQ(cause_of(ensure({file("way/f")})), "is-link");
  EXPECT_EQ(cause_of(ensure({file("way/f")}, Links::kReplace)), "is-link");
  EXPECT_TRUE(fs::is_empty(at("real/sub")));
}

TEST_F(EnsureFollow, ThePinnedFileIsTheOneThatALinkLeadsTo) {
  put("real/f", "x", 0600);
  fs::create_symlink("way/f", at("link"));
  ManifestEntry pinned = file("link", 0644);
  EXPECT_TRUE(follow({pinned}));
  EXPECT_EQ(done.drift.at(0).path, at("link"));
  pinned.pin = true;
  ASSERT_TRUE(follow({pinned}));
  EXPECT_EQ(done.pinned.at(0).path, at("link"));
  EXPECT_EQ(mode("real/f"), 0644U);
  EXPECT_EQ(content("real/f"), "x");
  EXPECT_EQ(cause_of(follow({dir("link")})), "wrong-type");
}

TEST_F(EnsureFollow, TwoNamesOfOneThingAreRefused) {
  put("real/f", "x", 0640);
  const auto result = follow({file("way/f"), file("real/f"), file("new")});
  EXPECT_EQ(cause_of(result), "duplicate-path");
  EXPECT_EQ(code_of(result), ErrorCode::kConfig);
  EXPECT_FALSE(fs::exists(at("new")));
}

TEST_F(EnsureFollow, ALinkInADirectoryThatOthersCanChangeIsRefused) {
  fs::create_directory(at("open"));
  fs::create_symlink("../real", at("open/way"));
  for (const mode_t bits : {0777U, 01777U}) {
    ASSERT_EQ(::chmod(at("open").c_str(), bits), 0);
    EXPECT_EQ(leads("open/way/f"), "untrusted-dir") << bits;
    EXPECT_EQ(cause_of(follow({file("a"), file("open/way/f")})), "untrusted-dir") << bits;
  }
  EXPECT_FALSE(fs::exists(at("a")));
  EXPECT_TRUE(follow_links(at("open/way/f"), TrustDir::kAny));
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chmod(at("open").c_str(), 0755), 0);
  ASSERT_EQ(::chown(at("open").c_str(), 1234, 1234), 0);
  EXPECT_EQ(leads("open/way/f"), "untrusted-dir");
}

TEST_F(EnsureFollow, AReaderMustReachTheLinksToo) {
  ASSERT_EQ(::chmod(tmp_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(at("real").c_str(), 0755), 0);
  fs::create_directory(at("private"));
  ASSERT_EQ(::chmod(at("private").c_str(), 0711), 0);
  fs::create_symlink("../real", at("private/way"));
  ManifestEntry entry = file("private/way/f", 0644);
  entry.readable_by = Ids{1234, 4321};
  const auto reachable = follow({entry});
  if (!reachable) GTEST_SKIP() << "others cannot come here: " << to_sentence(reachable.error());
  ASSERT_EQ(::chmod(at("private").c_str(), 0700), 0);
  const auto result = follow({entry});
  EXPECT_EQ(cause_of(result), "not-readable-by");
  EXPECT_EQ(result.error().subject, at("private"));
}

TEST_F(EnsureFollow, ALinkThatIsSwappedAfterThePlanMakesNothingAnywhere) {
  put("real/kept", "x", 0600);
  put("victim/kept", "x", 0600);
  ManifestEntry pinned = file("way/kept", 0644);
  pinned.pin = true;
  for (const ManifestEntry& entry : {file("way/f"), dir("way/sub/d"), pinned}) {
    const EnsurePlan plan =
        plan_ensure({entry}, Purpose::kApply, TrustDir::kOnlyOwn, Links::kFollow);
    ASSERT_EQ(plan.refusal(), nullptr);
    swap();
    const auto result = apply_ensure({entry}, plan, {}, done);
    EXPECT_EQ(code_of(result), ErrorCode::kBusy) << entry.path;
    EXPECT_EQ(cause_of(result), "changed-meanwhile") << entry.path;
    EXPECT_NE(result.error().detail.find("nothing was changed"), std::string::npos);
    fs::remove(at("way"));
    fs::create_symlink("real", at("way"));
  }
  expect_victim_untouched();
  EXPECT_FALSE(fs::exists(at("real/f")));
  EXPECT_TRUE(fs::is_empty(at("real/sub")));
  EXPECT_EQ(mode("real/kept"), 0600U);
  EXPECT_EQ(mode("victim/kept"), 0600U);
}

// Is asked for by the declared name, and has somebody swap the link while it is waited for.
class SwappingLock final : public EditLock {
 public:
  explicit SwappingLock(std::function<void(const Target&)> meanwhile)
      : meanwhile_(std::move(meanwhile)) {}
  Result<std::unique_ptr<Hold>> take(const Target& target) override {
    meanwhile_(target);
    return nullptr;
  }
  [[nodiscard]] bool exists(const Target& /*target*/) const override { return false; }

 private:
  std::function<void(const Target&)> meanwhile_;
};

TEST_F(EnsureFollow, ALinkThatIsSwappedWhileTheLockIsWaitedForMakesNothing) {
  put("real/kept", "x", 0600);
  std::string asked;
  EnsureOptions options;
  options.edit_lock = std::make_shared<SwappingLock>([&](const Target& target) {
    asked = target.path + " " + target.name.str();
    swap();
  });
  ManifestEntry pinned = file("way/kept", 0644);
  pinned.pin = true;
  EXPECT_EQ(cause_of(follow({pinned}, options)), "changed-meanwhile");
  EXPECT_EQ(asked, at("way/kept") + " kept");
  EXPECT_EQ(mode("real/kept"), 0600U);
  expect_victim_untouched();
}

// Somebody swaps right before the file gets its name.
class LinkSwapper final : public testing::CallHook {
 public:
  explicit LinkSwapper(std::function<void()> swap) : swap_(std::move(swap)) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "linkat" && !done_) {
      done_ = true;
      swap_();
    }
    return {};
  }

 private:
  std::function<void()> swap_;
  bool done_ = false;
};

TEST_F(EnsureFollow, ALinkThatIsSwappedInTheLastMomentIsToldAndLeadsToNoVictim) {
  LinkSwapper swapper([&] { swap(); });
  const testing::ScopedCallHook hook(swapper);
  const auto result = follow({file("way/f")});
  EXPECT_EQ(cause_of(result), "changed-meanwhile");
  EXPECT_NE(result.error().detail.find("before that 1 "), std::string::npos);
  EXPECT_TRUE(fs::exists(at("real/f")));
  expect_victim_untouched();
}

}  // namespace
}  // namespace holdfast::file
