// SPDX-License-Identifier: Apache-2.0
#include "runtime/home.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/manual_clock.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast {
namespace {

namespace fs = std::filesystem;
using HomeSource = HomeLocation::Source;

class HomeTest : public ::testing::Test {
 protected:
  HomeLocation at(std::string_view name, HomeSource source = HomeSource::kOption) {
    return {.path = tmp_.path(name), .source = source};
  }
  Result<Home> make(std::string_view name, HomeSource source = HomeSource::kOption) {
    return Home::open_or_create(at(name, source), clock_);
  }
  std::string cause_of(std::string_view name) {
    const auto home = make(name);
    return home ? "(made)" : home.error().cause;
  }
  void put(std::string_view name, std::string_view bytes) {
    std::ofstream(tmp_.path(name)) << bytes;
  }

  testing::TempDir tmp_;
  testing::ManualClock clock_;
};

TEST_F(HomeTest, IsMadePrivateWithItsFormatAndFoundAgain) {
  ASSERT_TRUE(make("hf"));
  EXPECT_EQ(fs::status(tmp_.path("hf")).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(tmp_.path("hf/format")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  const WallTime created = clock_.wall();
  clock_.advance(std::chrono::hours(5));
  const auto again = make("hf");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->marker().created, created);
  EXPECT_TRUE(Home::find(at("hf")).value());
}

TEST_F(HomeTest, FindMakesNothing) {
  EXPECT_FALSE(Home::find(at("hf")).value());
  EXPECT_FALSE(fs::exists(tmp_.path("hf")));
  fs::create_directory(tmp_.path("empty"));
  EXPECT_FALSE(Home::find(at("empty")).value());
  EXPECT_TRUE(fs::is_empty(tmp_.path("empty")));
}

TEST_F(HomeTest, TheUmaskDoesNotMatter) {
  const auto old = ::umask(0);
  EXPECT_TRUE(make("open"));
  ::umask(077);
  EXPECT_TRUE(make("closed"));
  ::umask(old);
  EXPECT_EQ(fs::status(tmp_.path("open")).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(tmp_.path("closed")).permissions(), fs::perms::owner_all);
}

TEST_F(HomeTest, ALinkIsRefusedAlsoWhenItsTargetIsAGoodHome) {
  ASSERT_TRUE(make("real"));
  ASSERT_TRUE(testing::make_dir_link(tmp_.path("real"), tmp_.path("link")));
  EXPECT_EQ(cause_of("link"), "home-is-link");
  EXPECT_EQ(make("link").error().code, ErrorCode::kRefused);
  ASSERT_TRUE(testing::make_dir_link(tmp_.path("nowhere"), tmp_.path("dangling")));
  EXPECT_EQ(cause_of("dangling"), "home-is-link");
  EXPECT_FALSE(fs::exists(tmp_.path("nowhere")));
}

TEST_F(HomeTest, WritableByOthersIsRefusedWithTheRemedy) {
  ASSERT_TRUE(make("hf"));
  for (const fs::perms extra : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(tmp_.path("hf"), fs::perms::owner_all | extra);
    const auto home = make("hf");
    ASSERT_FALSE(home);
    EXPECT_EQ(home.error().cause, "home-writable-by-others");
    EXPECT_NE(home.error().detail.find("chmod 700 " + tmp_.path("hf")), std::string::npos);
  }
}

TEST_F(HomeTest, AnotherUsersDirectoryIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a directory of another user";
  fs::create_directory(tmp_.path("theirs"));
  ASSERT_EQ(::chown(tmp_.path("theirs").c_str(), 12345, 12345), 0);
  EXPECT_EQ(cause_of("theirs"), "home-foreign-owner");
  EXPECT_TRUE(fs::is_empty(tmp_.path("theirs")));
}

TEST_F(HomeTest, AnEmptyDirectoryIsCompletedAndAFullOneIsNeverAdopted) {
  fs::create_directory(tmp_.path("empty"));
  fs::permissions(tmp_.path("empty"), fs::perms::owner_all);
  EXPECT_TRUE(make("empty"));
  fs::create_directories(tmp_.path("project/src"));
  fs::permissions(tmp_.path("project"), fs::perms::owner_all);
  EXPECT_EQ(cause_of("project"), "home-not-empty");
  EXPECT_FALSE(fs::exists(tmp_.path("project/format")));
  put("file", "x");
  EXPECT_EQ(cause_of("file"), "home-not-a-directory");
}

TEST_F(HomeTest, ADamagedOrNewerFormatIsAnsweredAndLeftAlone) {
  ASSERT_TRUE(make("hf"));
  put("hf/format", "");
  EXPECT_EQ(make("hf").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(fs::file_size(tmp_.path("hf/format")), 0U);
  put("hf/format", "{\"v\":9,\"kind\":\"holdfast-home\"}");
  EXPECT_EQ(make("hf").error().code, ErrorCode::kCannotTell);
  put("hf/format", std::string(5000, ' '));
  EXPECT_EQ(make("hf").error().code, ErrorCode::kCorrupt);
}

TEST_F(HomeTest, MissingParentsAreMadeForTheDefaultPlaceOnly) {
  const auto typed = make("a/b/hf", HomeSource::kOption);
  EXPECT_EQ(typed.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(typed.error().cause, "no-parent");
  EXPECT_EQ(Home::find(at("a/b/hf")).error().cause, "no-parent");
  EXPECT_FALSE(fs::exists(tmp_.path("a")));
  EXPECT_TRUE(make("a/b/hf", HomeSource::kUserHome));
  EXPECT_EQ(fs::status(tmp_.path("a")).permissions(), fs::perms::owner_all);
}

TEST_F(HomeTest, PartsAreMadeWhenFirstUsedAndCheckedEachTime) {
  const auto home = make("hf");
  ASSERT_TRUE(home);
  for (const HomePart part : {HomePart::kLocks, HomePart::kSessions, HomePart::kJournal,
                              HomePart::kOnce, HomePart::kLoops}) {
    EXPECT_TRUE(home->open_part(part));
    EXPECT_TRUE(home->open_part(part));
  }
  EXPECT_EQ(fs::status(tmp_.path("hf/locks")).permissions(), fs::perms::owner_all);
  fs::permissions(tmp_.path("hf/locks"), fs::perms::all);
  EXPECT_EQ(home->open_part(HomePart::kLocks).error().code, ErrorCode::kRefused);
  fs::remove(tmp_.path("hf/once"));
  ASSERT_TRUE(testing::make_dir_link(tmp_.path(), tmp_.path("hf/once")));
  EXPECT_EQ(home->open_part(HomePart::kOnce).error().cause, "is-link");
}

}  // namespace
}  // namespace holdfast
