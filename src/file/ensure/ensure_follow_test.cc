// SPDX-License-Identifier: Apache-2.0
//
// Links that are followed, and that are swapped at the worst moments: between the plan and the act,
// while the file's lock is waited for, and between the last look at the way and the act itself.
#include "file/ensure/ensure_follow.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "file/ensure/ensure_fixture.h"
#include "file/replace/status_linux_fixture.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::file {
namespace {

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
