// SPDX-License-Identifier: Apache-2.0
//
// What depends on mode bits, owners by number, links to files, and names of any bytes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "file/ensure/ensure.h"
#include "file/ensure/ensure_fixture.h"
#include "file/replace/status_linux_fixture.h"

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

}  // namespace
}  // namespace holdfast::file
