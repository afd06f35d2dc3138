// SPDX-License-Identifier: Apache-2.0
#include "cli/helper_program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

class HelperProgram : public testing::Test {
 protected:
  void SetUp() override {
    root_ =
        fs::path(testing::TempDir()) /
        (std::string("hf_helper_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directories(root_ / "bin");
    fs::create_directories(root_ / "libexec/holdfast");
  }
  void TearDown() override { fs::remove_all(root_); }

  void put(const std::string& path, fs::perms perms) const {
    std::ofstream(root_ / path) << "#!/bin/sh\n";
    fs::permissions(root_ / path, perms);
  }
  [[nodiscard]] Result<std::string> find() const {
    return find_helper_of((root_ / "bin/holdfast").string(), "holdfast-dash");
  }

  fs::path root_;
};

constexpr fs::perms kExecutable = fs::perms(0755);
constexpr fs::perms kPlain = fs::perms(0644);

TEST_F(HelperProgram, InstalledOneIsFoundFirst) {
  put("bin/holdfast-dash", kExecutable);
  put("libexec/holdfast/holdfast-dash", kExecutable);
  EXPECT_EQ(find().value_or("-"), (root_ / "libexec/holdfast/holdfast-dash").string());
}

TEST_F(HelperProgram, OneBesideTheBinaryIsFoundInTheBuildTree) {
  put("bin/holdfast-dash", kExecutable);
  put("libexec/holdfast/holdfast-dash", kPlain);  // not executable: not a program
  EXPECT_EQ(find().value_or("-"), (root_ / "bin/holdfast-dash").string());
}

TEST_F(HelperProgram, MissingOneIsNamedWithBothPlaces) {
  const auto found = find();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(found.error().cause, "no-helper");
  for (const std::string& place :
       helper_places((root_ / "bin/holdfast").string(), "holdfast-dash")) {
    EXPECT_NE(found.error().detail.find(place), std::string::npos) << found.error().detail;
  }
}

TEST(HelperPlaces, AreBesideTheBinaryAlsoAtTheRoot) {
  EXPECT_EQ(helper_places("/usr/bin/holdfast", "x")[0], "/usr/libexec/holdfast/x");
  EXPECT_EQ(helper_places("/usr/bin/holdfast", "x")[1], "/usr/bin/x");
  EXPECT_EQ(helper_places("/bin/holdfast", "x")[0], "/libexec/holdfast/x");
  EXPECT_EQ(helper_places("/holdfast", "x")[1], "/x");
}

TEST(FindHelper, LooksFromTheRunningProgram) {
  const auto found = find_helper("hf-no-such-helper");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().cause, "no-helper");
}

}  // namespace
}  // namespace holdfast::cli
