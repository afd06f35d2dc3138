// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/owner_mark.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "os/dir/dir_metadata.h"
#include "os/machine/random.h"
#include "session/workspace/outside.h"
#include "testing/temp_dir.h"

namespace holdfast::session {
namespace {

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
  // A session of that home, whose directory is `work`, and its mark.
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
  // Its own home marks it again, for another session.
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
