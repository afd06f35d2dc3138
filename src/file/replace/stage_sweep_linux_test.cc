// SPDX-License-Identifier: Apache-2.0
//
// What only Linux has: a time of change beside that of the content, flock, owners by number.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/replace/file_fixture.h"
#include "file/replace/stage_sweep.h"

namespace holdfast::file {
namespace {

constexpr std::string_view kStageSweepLinuxStage = ".hf-stage-0123456789abcdef0123456789abcdef";

class StageSweepOnLinux : public FileFixture {
 protected:
  // The time of a change cannot be set, so the test is some time later.
  [[nodiscard]] std::uint64_t swept_after(Duration age) const {
    const WallTime later = wall_time_from_unix(::time(nullptr), 0) + age;
    const auto count = sweep_stages(tmp_.dir(), later, Duration::zero());
    EXPECT_TRUE(count) << to_sentence(count.error());
    return count ? count->removed : 999;
  }
};

constexpr auto kStageSweepLinuxOld = std::chrono::hours(2);

TEST_F(StageSweepOnLinux, ADisplacedFileIsAsOldAsItsDisplacementNotAsItsContent) {
  put(kStageSweepLinuxStage, "from last year");
  const timespec long_ago[2] = {{.tv_sec = 1'000'000'000, .tv_nsec = 0},
                                {.tv_sec = 1'000'000'000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, at(kStageSweepLinuxStage).c_str(), long_ago, 0), 0);
  EXPECT_EQ(swept_after(Duration::zero()), 0U);
}

TEST_F(StageSweepOnLinux, OneThatIsStillBeingFilledStays) {
  put(kStageSweepLinuxStage, "left over");
  const int fd = ::open(at(kStageSweepLinuxStage).c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_EQ(swept_after(kStageSweepLinuxOld), 0U);
  ::close(fd);
  EXPECT_EQ(swept_after(kStageSweepLinuxOld), 1U);
}

TEST_F(StageSweepOnLinux, OneOfAnotherUserOrWithAnotherNameStays) {
  put(kStageSweepLinuxStage, "left over");
  ASSERT_EQ(::link(at(kStageSweepLinuxStage).c_str(), at("twin").c_str()), 0);
  EXPECT_EQ(swept_after(kStageSweepLinuxOld), 0U);
  ASSERT_EQ(::unlink(at("twin").c_str()), 0);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(at(kStageSweepLinuxStage).c_str(), 4711, 4711), 0);
    EXPECT_EQ(swept_after(kStageSweepLinuxOld), 0U);
  }
}

}  // namespace
}  // namespace holdfast::file
