// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "os/machine/real_clock.h"
#include "runtime/home.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

class HomeContract : public ::testing::Test {
 protected:
  Result<Home> create(const std::string& name) {
    return Home::open_or_create(location(name), os::RealClock());
  }
  [[nodiscard]] HomeLocation location(const std::string& name) const {
    return *locate_home(tmp_.path(name), [](const char*) { return std::nullopt; });
  }
  [[nodiscard]] static std::string cause(const Result<Home>& home) {
    return home ? "(made)" : home.error().cause;
  }

  testing::TempDir tmp_;
};

TEST_F(HomeContract, IsMadeOncePrivateAndFoundAgain) {
  const auto not_yet = Home::find(location("hf"));
  ASSERT_TRUE(not_yet) << to_sentence(not_yet.error());
  EXPECT_FALSE(*not_yet);
  const auto made = create("hf");
  ASSERT_TRUE(made) << to_sentence(made.error());
  const auto exposure = made->dir().exposure();
  ASSERT_TRUE(exposure);
  EXPECT_EQ(exposure->owner, os::Exposure::Owner::kSelf);
  EXPECT_EQ(exposure->others, os::Exposure::Others::kNothing);
  const auto found = Home::find(location("hf"));
  ASSERT_TRUE(found) << to_sentence(found.error());
  ASSERT_TRUE(*found);
  const Home& home = **found;
  EXPECT_EQ(home.marker().created, made->marker().created);
  EXPECT_FALSE(*home.find_part(HomePart::kLocks));
  EXPECT_TRUE(home.open_part(HomePart::kLocks));
  EXPECT_TRUE(*home.find_part(HomePart::kLocks));
}

TEST_F(HomeContract, AnythingElseThatHasItsNameIsRefusedAndStays) {
  fs::create_directory(tmp_.path("project"));
  std::ofstream(tmp_.path("project/file")) << "mine";
  EXPECT_EQ(cause(create("project")), "home-not-empty");
  std::ofstream(tmp_.path("plain")) << "mine";
  EXPECT_EQ(cause(create("plain")), "home-not-a-directory");
  EXPECT_EQ(cause(create("none/hf")), "no-parent");
  EXPECT_TRUE(fs::exists(tmp_.path("project/file")));
}

TEST_F(HomeContract, ALinkIsRefusedAndItsTargetStaysEmpty) {
  fs::create_directory(tmp_.path("target"));
  if (!testing::make_dir_link(tmp_.path("target"), tmp_.path("hf"))) {
    GTEST_SKIP() << "no links can be made here";
  }
  EXPECT_EQ(cause(create("hf")), "home-is-link");
  EXPECT_TRUE(fs::is_empty(tmp_.path("target")));
}

TEST_F(HomeContract, ADamagedMarkerIsCorruptAndIsKept) {
  ASSERT_TRUE(create("hf"));
  std::ofstream(tmp_.path("hf/format"), std::ios::binary) << "{";
  const auto home = create("hf");
  ASSERT_FALSE(home);
  EXPECT_EQ(home.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(fs::file_size(tmp_.path("hf/format")), 1U);
}

}  // namespace
}  // namespace holdfast
