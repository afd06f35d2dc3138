// SPDX-License-Identifier: Apache-2.0
#include "file/replace/replace.h"

#include <atomic>
#include <ctime>
#include <filesystem>
#include <thread>

#include "file/replace/backup.h"
#include "file/replace/commit_lock.h"
#include "file/replace/file_fixture.h"
#include "file/replace/read_whole.h"
#include "os/file/staged_file.h"
#include "os/machine/sha256.h"
#include "testing/platform.h"

namespace holdfast::file {
namespace {

using ReplaceNames = std::vector<std::string>;

class Replace : public FileFixture {};

ReplaceOptions replace_quick() { return {.durability = Durability::kNone}; }

TEST_F(Replace, AFileGetsNewContentAndKeepsItsMode) {
  put("f", "old", 0640);
  const auto done = replace(at("f"), "new", {});
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(mode("f"), 0640U);
  EXPECT_TRUE(done->changed && done->committed && done->durable);
  EXPECT_EQ(done->old_digest, os::sha256("old"));
  EXPECT_EQ(done->new_digest, os::sha256("new"));
  EXPECT_EQ(names(), ReplaceNames{"f"});
}

TEST_F(Replace, TheSameContentIsLeftAlone) {
  put("f", "same");
  const auto inode = id("f");
  const auto done = replace(at("f"), "same", {});
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->changed);
  EXPECT_TRUE(done->committed && done->durable);
  EXPECT_EQ(id("f"), inode);
}

TEST_F(Replace, AnEmptyResultIsRefusedUnlessAllowed) {
  put("f", "old");
  const auto refused = replace(at("f"), "", replace_quick());
  EXPECT_EQ(code_of(refused), ErrorCode::kCorrupt);
  EXPECT_EQ(cause_of(refused), "empty");
  EXPECT_EQ(content("f"), "old");
  EXPECT_TRUE(replace(at("f"), "", {.durability = Durability::kNone, .min_bytes = 0}));
  EXPECT_EQ(content("f"), "");
  EXPECT_EQ(names(), ReplaceNames{"f"});
}

TEST_F(Replace, ContentThatShrankTooMuchIsRefused) {
  put("f", std::string(1000, 'x'));
  const auto shrink = [&](std::size_t size, MaxShrink most) {
    return cause_of(replace(at("f"), std::string(size, 'y'),
                            {.durability = Durability::kNone, .max_shrink = most}));
  };
  EXPECT_EQ(shrink(499, {.amount = 50, .percent = true}), "shrunk");
  EXPECT_EQ(shrink(899, {.amount = 100, .percent = false}), "shrunk");
  EXPECT_EQ(content("f"), std::string(1000, 'x'));
  EXPECT_EQ(shrink(500, {.amount = 50, .percent = true}), "(done)");
}

TEST_F(Replace, AnExpectationMustHold) {
  put("f", "old");
  const auto expecting = [&](std::optional<Digest> digest) {
    return replace(at("f"), "new",
                   {.durability = Durability::kNone, .expect = Expectation{.digest = digest}});
  };
  EXPECT_EQ(code_of(expecting(os::sha256("other"))), ErrorCode::kBusy);
  EXPECT_EQ(cause_of(expecting(std::nullopt)), "if-hash");
  EXPECT_EQ(content("f"), "old");
  EXPECT_TRUE(expecting(os::sha256("old")));
  EXPECT_EQ(content("f"), "new");
}

TEST_F(Replace, LinksAreRefusedFollowedOrReplaced) {
  put("real", "old");
  if (!testing::make_file_link(at("real"), at("link")) ||
      !testing::make_file_link(at("link"), at("chain"))) {
    GTEST_SKIP() << "this platform cannot show a link to a file as a link";
  }
  EXPECT_EQ(cause_of(replace(at("link"), "new", replace_quick())), "is-link");
  EXPECT_EQ(content("real"), "old");
  if (!tmp_.dir().read_link(*os::SafeName::make("link"))) GTEST_SKIP() << "links are not read here";

  EXPECT_TRUE(
      replace(at("chain"), "followed", {.links = Links::kFollow, .durability = Durability::kNone}));
  EXPECT_EQ(content("real"), "followed");
  EXPECT_TRUE(std::filesystem::is_symlink(at("chain")));

  EXPECT_TRUE(
      replace(at("link"), "replaced", {.links = Links::kReplace, .durability = Durability::kNone}));
  EXPECT_FALSE(std::filesystem::is_symlink(at("link")));
  EXPECT_EQ(content("link"), "replaced");
  EXPECT_EQ(content("real"), "followed");
}

TEST_F(Replace, ALinkInTheParentIsRefusedAndNamed) {
  ASSERT_EQ(tmp_.dir().make_dir(*os::SafeName::make("dir"), 0755), os::Made::kMade);
  if (!testing::make_dir_link(at("dir"), at("way"))) GTEST_SKIP() << "no links here";
  for (const char* path : {"way/f", "way//f", "way/./f", "dir/../way/f"}) {
    const auto refused = replace(at(path), "x", replace_quick());
    EXPECT_EQ(cause_of(refused), "is-link") << path;
    EXPECT_TRUE(refused.error().subject.ends_with("way")) << refused.error().subject;
  }
  EXPECT_TRUE(replace(at("dir/f"), "x", replace_quick()));
  EXPECT_TRUE(
      replace(at("way/f"), "y", {.links = Links::kFollow, .durability = Durability::kNone}));
  EXPECT_EQ(content("dir/f"), "y");
}

TEST_F(Replace, PathsThatNameNoFileAreRefused) {
  put("f", "old");
  for (const std::string& path :
       {std::string(), at("f/"), at("."), at(".."), at(std::string_view("f\0x", 3))}) {
    EXPECT_EQ(code_of(replace(path, "x", replace_quick())), ErrorCode::kRefused) << path;
  }
  EXPECT_EQ(code_of(replace(at("no/such"), "x", replace_quick())), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(replace(at("f/under"), "x", replace_quick())), ErrorCode::kRefused);
  EXPECT_EQ(content("f"), "old");
}

TEST_F(Replace, AHardLinkedFileIsRefusedUnlessTheLinkMayBreak) {
  put("f", "old");
  std::filesystem::create_hard_link(at("f"), at("twin"));
  EXPECT_EQ(cause_of(replace(at("f"), "new", replace_quick())), "hard-linked");
  EXPECT_EQ(content("f"), "old");
  EXPECT_TRUE(
      replace(at("f"), "new", {.durability = Durability::kNone, .hard_links = HardLinks::kBreak}));
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(content("twin"), "old");
}

TEST_F(Replace, ChecksDecideAndACheckThatChangesTheContentIsCaught) {
  put("f", "old");
  const auto with = [&](const Check& check) {
    return replace(at("f"), "new", {.durability = Durability::kNone, .checks = {check}});
  };
  const Check refuses{.name = "no", .examine = [](const os::File&, std::uint64_t) -> Result<> {
                        return fail({.code = ErrorCode::kCorrupt, .cause = "no"});
                      }};
  EXPECT_EQ(cause_of(with(refuses)), "no");
  const Check meddles{.name = "meddles",
                      .examine = [](const os::File& staged, std::uint64_t) -> Result<> {
                        return const_cast<os::File&>(staged).write_at(0, "X");
                      },
                      .changes_possible = true};
  EXPECT_EQ(cause_of(with(meddles)), "check-changed-it");
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(names(), ReplaceNames{"f"});
}

TEST_F(Replace, BackupsAreTheOldFilesAndTheirNumberIsBounded) {
  put("f", "0", 0640);
  put("f.bak-notes", "mine");
  for (const char* next : {"1", "2", "3", "4"}) {
    const auto done = replace(at("f"), next, {.durability = Durability::kNone, .backups = 2});
    ASSERT_TRUE(done) << to_sentence(done.error());
    ASSERT_TRUE(done->backup);
    EXPECT_EQ(mode(*done->backup), 0640U);
  }
  std::vector<std::string> kept;
  for (const std::string& name : names()) {
    if (is_backup_of(name, *os::SafeName::make("f"))) kept.push_back(content(name));
  }
  EXPECT_EQ(kept, (std::vector<std::string>{"2", "3"}));
  EXPECT_EQ(names().size(), 4U);
  EXPECT_EQ(content("f.bak-notes"), "mine");
}

TEST_F(Replace, ChangesByOthersCountWhereTheContentWasMadeFromTheOld) {
  put("f", "old");
  auto job = Replacement::begin(at("f"), {.durability = Durability::kNone, .base = Base::kAsRead});
  ASSERT_TRUE(job);
  EXPECT_EQ(job->read_old(100).value_or("?"), "old");
  ASSERT_TRUE(job->write("made from old"));
  put("f", "somebody else's");
  const auto done = job->commit();
  EXPECT_EQ(cause_of(done), "changed-meanwhile");
  EXPECT_EQ(code_of(done), ErrorCode::kBusy);
  EXPECT_EQ(content("f"), "somebody else's");
}

TEST_F(Replace, ChangesByOthersDoNotCountForABlindWrite) {
  put("f", "old", 0600);
  auto job = Replacement::begin(at("f"), replace_quick());
  ASSERT_TRUE(job);
  ASSERT_TRUE(job->write("new"));
  put("f", "somebody else's", 0640);
  const auto done = job->commit();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->old_digest, os::sha256("somebody else's"));
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(mode("f"), 0640U);
}

TEST_F(Replace, InPlaceKeepsTheInodeAndTheOtherNames) {
  put("f", "old content", 0640);
  std::filesystem::create_hard_link(at("f"), at("twin"));
  const auto inode = id("f");
  const auto done = replace(at("f"), "new", {.how = How::kInPlace});
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(id("f"), inode);
  EXPECT_EQ(content("twin"), "new");
  EXPECT_EQ(names(), (ReplaceNames{"f", "twin"}));
}

TEST_F(Replace, TwoThreadsThatAddToAFileLoseNothing) {
  put("f", "0");
  const auto add = [&] {
    for (int i = 0; i < 200; ++i) {
      auto job = Replacement::begin(
          at("f"),
          {.durability = Durability::kNone, .locking = Locking::kFromBegin, .base = Base::kAsRead});
      ASSERT_TRUE(job) << to_sentence(job.error());
      const int number = std::stoi(job->read_old(100).value_or("-1000"));
      ASSERT_TRUE(job->write(std::to_string(number + 1)));
      ASSERT_TRUE(job->commit());
    }
  };
  std::thread other(add);
  add();
  other.join();
  EXPECT_EQ(content("f"), "400");
}

class ReadWhole : public FileFixture {
 protected:
  Result<std::string> read(std::string_view name, ReadOptions options = {.max = 1U << 20U}) {
    return read_whole(at(name), options);
  }
};

TEST_F(ReadWhole, AllOfTheBytesAndNothingElse) {
  put("f", std::string_view("a\0b\r\n", 5));
  EXPECT_EQ(read("f"), std::string("a\0b\r\n", 5));
  put("empty", "");
  EXPECT_EQ(read("empty"), "");
  EXPECT_EQ(cause_of(read("f", {.max = 4})), "too-large");
  EXPECT_EQ(code_of(read("absent")), ErrorCode::kNotFound);
}

TEST_F(ReadWhole, LinksAreFollowedOnlyWhereThatWasAsked) {
  put("real", "x");
  if (!testing::make_file_link(at("real"), at("link"))) GTEST_SKIP() << "no links to files here";
  EXPECT_EQ(cause_of(read("link")), "is-link");
  EXPECT_EQ(cause_of(read("link", {.links = Links::kReplace, .max = 9})), "is-link");
  if (!tmp_.dir().read_link(*os::SafeName::make("link"))) GTEST_SKIP() << "links are not read here";
  EXPECT_EQ(read("link", {.links = Links::kFollow, .max = 9}), "x");
}

TEST_F(ReadWhole, AnUndoFileMeansThatNobodyCanTell) {
  put("f", "half of the new, half of the o");
  put(".f.hf-undo", "whatever");
  const auto answer = read("f");
  EXPECT_EQ(code_of(answer), ErrorCode::kCannotTell);
  EXPECT_EQ(cause_of(answer), "write-in-place-unfinished");
}

TEST_F(ReadWhole, ReadersBesideAWriterInPlaceNeverSeeAMixture) {
  constexpr std::size_t kSize = 200'000;
  const std::string a(kSize, 'a');
  const std::string b(kSize, 'b');
  put("f", a);
  std::atomic<bool> over = false;
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) {
      const auto done = replace(at("f"), i % 2 == 0 ? b : a,
                                {.durability = Durability::kNone, .how = How::kInPlace});
      EXPECT_TRUE(done) << to_sentence(done.error());
    }
    over = true;
  });
  while (!over) {
    const auto text = read("f");
    if (text) {
      EXPECT_TRUE(*text == a || *text == b) << "a mixture of " << text->size() << " bytes";
    } else {
      EXPECT_TRUE(code_of(text) == ErrorCode::kCannotTell || code_of(text) == ErrorCode::kBusy)
          << to_sentence(text.error());
    }
  }
  writer.join();
}

namespace fs = std::filesystem;

constexpr std::string_view kStageSweepStage = ".hf-stage-0123456789abcdef0123456789abcdef";

class StageSweep : public FileFixture {
 protected:
  // The time of a change cannot be set, so the test is some time later.
  [[nodiscard]] std::uint64_t swept_after(Duration age) const {
    const WallTime later = wall_time_from_unix(::time(nullptr), 0) + age;
    const auto count = sweep_stages(tmp_.dir(), later, Duration::zero());
    EXPECT_TRUE(count) << to_sentence(count.error());
    return count ? count->removed : 999;
  }
};

constexpr auto kStageSweepOld = std::chrono::hours(2);

TEST_F(StageSweep, AnOldStageGoesAndNothingElse) {
  put(kStageSweepStage, "left over");
  put(".hf-stage-notes", "left over");
  put("f", "left over");
  EXPECT_EQ(swept_after(kStageSweepOld), 1U);
  EXPECT_EQ(names(), (ReplaceNames{".hf-stage-notes", "f"}));
}

TEST_F(StageSweep, AnEmptyDirectoryGoesAndAFullOneStays) {
  fs::create_directory(at(kStageSweepStage));
  EXPECT_EQ(swept_after(kStageSweepOld), 1U);
  fs::create_directory(at(kStageSweepStage));
  put(std::string(kStageSweepStage) + "/mine", "x");
  EXPECT_EQ(swept_after(kStageSweepOld), 0U);
}

TEST_F(StageSweep, AFreshOneStays) {
  put(kStageSweepStage, "left over");
  EXPECT_EQ(swept_after(std::chrono::minutes(59)), 0U);
}

TEST_F(StageSweep, OneThatIsInUseStays) {
  auto staged = os::StagedFile::create(tmp_.dir(), 0600).value();
  ASSERT_TRUE(staged.write_all("not yet whole"));
  EXPECT_EQ(swept_after(kStageSweepOld), 0U);
  EXPECT_EQ(staged.publish_new(*os::SafeName::make("f")).value(), os::Placed::kPlaced);
  EXPECT_EQ(content("f"), "not yet whole");
}

TEST_F(StageSweep, NothingIsTouchedWhileSomebodyCommits) {
  put(kStageSweepStage, "left over");
  std::optional<CommitLock> lock(CommitLock::take(tmp_.dir(), Duration::zero()).value());
  const auto count = sweep_stages(tmp_.dir(), WallTime::max(), Duration::zero());
  EXPECT_EQ(cause_of(count), "directory-busy");
  lock.reset();
  EXPECT_EQ(names(), ReplaceNames{std::string(kStageSweepStage)});
}

}  // namespace
}  // namespace holdfast::file
