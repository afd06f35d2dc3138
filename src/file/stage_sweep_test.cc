// SPDX-License-Identifier: Apache-2.0
#include "file/stage_sweep.h"

#include <fcntl.h>
#include <sys/file.h>

#include "file/file_fixture.h"

namespace holdfast::file {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kStage = ".hf-stage-0123456789abcdef0123456789abcdef";

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

constexpr auto kOld = std::chrono::hours(2);

TEST_F(StageSweep, AnOldStageGoesAndNothingElse) {
  put(kStage, "left over");
  put(".hf-stage-notes", "left over");
  put("f", "left over");
  EXPECT_EQ(swept_after(kOld), 1U);
  EXPECT_EQ(names(), (Names{".hf-stage-notes", "f"}));
}

TEST_F(StageSweep, ADisplacedFileIsAsOldAsItsDisplacementNotAsItsContent) {
  put(kStage, "from last year");
  const timespec long_ago[2] = {{.tv_sec = 1'000'000'000, .tv_nsec = 0},
                                {.tv_sec = 1'000'000'000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, at(kStage).c_str(), long_ago, 0), 0);
  EXPECT_EQ(swept_after(Duration::zero()), 0U);
}

TEST_F(StageSweep, AnEmptyDirectoryGoesAndAFullOneStays) {
  ASSERT_EQ(::mkdir(at(kStage).c_str(), 0700), 0);
  EXPECT_EQ(swept_after(kOld), 1U);
  ASSERT_EQ(::mkdir(at(kStage).c_str(), 0700), 0);
  put(std::string(kStage) + "/mine", "x");
  EXPECT_EQ(swept_after(kOld), 0U);
}

TEST_F(StageSweep, AFreshOneStays) {
  put(kStage, "left over");
  EXPECT_EQ(swept_after(std::chrono::minutes(59)), 0U);
}

TEST_F(StageSweep, OneThatIsStillBeingFilledStays) {
  put(kStage, "left over");
  const int fd = ::open(at(kStage).c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_EQ(swept_after(kOld), 0U);
  ::close(fd);
  EXPECT_EQ(swept_after(kOld), 1U);
}

TEST_F(StageSweep, OneOfAnotherUserOrWithAnotherNameStays) {
  put(kStage, "left over");
  ASSERT_EQ(::link(at(kStage).c_str(), at("twin").c_str()), 0);
  EXPECT_EQ(swept_after(kOld), 0U);
  ASSERT_EQ(::unlink(at("twin").c_str()), 0);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(at(kStage).c_str(), 4711, 4711), 0);
    EXPECT_EQ(swept_after(kOld), 0U);
  }
}

TEST_F(StageSweep, NothingIsTouchedWhileSomebodyCommits) {
  put(kStage, "left over");
  const int fd = ::open(tmp_.path().c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  const auto count = sweep_stages(tmp_.dir(), WallTime::max(), Duration::zero());
  ::close(fd);
  EXPECT_EQ(cause_of(count), "directory-busy");
  EXPECT_EQ(names(), Names{std::string(kStage)});
}

}  // namespace
}  // namespace holdfast::file
