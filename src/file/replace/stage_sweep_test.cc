// SPDX-License-Identifier: Apache-2.0
#include "file/replace/stage_sweep.h"

#include <ctime>
#include <filesystem>

#include "file/replace/commit_lock.h"
#include "file/replace/file_fixture.h"
#include "os/file/staged_file.h"

namespace holdfast::file {
namespace {

using StageSweepNames = std::vector<std::string>;
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
  EXPECT_EQ(names(), (StageSweepNames{".hf-stage-notes", "f"}));
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
  EXPECT_EQ(names(), StageSweepNames{std::string(kStageSweepStage)});
}

}  // namespace
}  // namespace holdfast::file
