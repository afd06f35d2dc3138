// SPDX-License-Identifier: Apache-2.0
#include "cli/helper_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace holdfast::cli {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kExecutable = fs::perms(0755);
constexpr fs::perms kPlain = fs::perms(0644);
constexpr fs::perms kOpenToAll = fs::perms(0777);

class HelperProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            (std::string("hf_helper_") +
             ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directories(root_ / "bin");
    fs::create_directories(root_ / "libexec/holdfast");
    for (const char* dir : {"bin", "libexec", "libexec/holdfast"}) {
      fs::permissions(root_ / dir, kExecutable);  // whatever the umask
    }
  }
  void TearDown() override { fs::remove_all(root_); }

  void put(const std::string& path, fs::perms perms) const {
    std::ofstream(root_ / path) << "#!/bin/sh\n";
    fs::permissions(root_ / path, perms);
  }
  [[nodiscard]] Result<std::string> find() const {
    return find_helper_of((root_ / "bin/holdfast").string(), "holdfast-dash");
  }

  void expect_refused(const std::string& cause, const std::string& subject) const {
    const auto found = find();
    ASSERT_FALSE(found) << *found;
    EXPECT_EQ(found.error().code, ErrorCode::kRefused);
    EXPECT_EQ(found.error().cause, cause);
    EXPECT_EQ(found.error().subject, (root_ / subject).string());
  }

  fs::path root_;
};

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

TEST_F(HelperProgram, OneThatOthersCouldReplaceIsRefusedNotSkipped) {
  put("bin/holdfast-dash", kExecutable);
  put("libexec/holdfast/holdfast-dash", kExecutable);
  for (const char* path : {"libexec", "libexec/holdfast", "libexec/holdfast/holdfast-dash"}) {
    fs::permissions(root_ / path, kOpenToAll);
    expect_refused("unsafe-helper", path);
    fs::permissions(root_ / path, kExecutable);
  }
  EXPECT_TRUE(find());
  fs::remove(root_ / "libexec/holdfast/holdfast-dash");
  fs::permissions(root_ / "bin", kOpenToAll);
  expect_refused("unsafe-helper", "bin");
}

TEST_F(HelperProgram, OneOfAnotherUserIsRefused) {
  put("libexec/holdfast/holdfast-dash", kExecutable);
  for (const char* path : {"libexec", "libexec/holdfast", "libexec/holdfast/holdfast-dash"}) {
    if (chown((root_ / path).c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can give away";
    expect_refused("unsafe-helper", path);
    ASSERT_EQ(chown((root_ / path).c_str(), geteuid(), getegid()), 0);
  }
  EXPECT_TRUE(find());
}

TEST_F(HelperProgram, LinkIsRefused) {
  put("bin/real", kExecutable);
  fs::create_symlink(root_ / "bin/real", root_ / "libexec/holdfast/holdfast-dash");
  expect_refused("is-link", "libexec/holdfast/holdfast-dash");
  fs::remove(root_ / "libexec/holdfast/holdfast-dash");
  put("libexec/holdfast/holdfast-dash", kExecutable);
  fs::rename(root_ / "libexec", root_ / "elsewhere");
  fs::create_directory_symlink(root_ / "elsewhere", root_ / "libexec");
  expect_refused("is-link", "libexec");
}

TEST_F(HelperProgram, InstalledPlaceIsTriedOnlyFromADirectoryCalledBin) {
  put("libexec/holdfast/holdfast-dash", kExecutable);
  fs::create_directory(root_ / "mine");
  const auto found = find_helper_of((root_ / "mine/holdfast").string(), "holdfast-dash");
  ASSERT_FALSE(found) << *found;
  EXPECT_EQ(found.error().cause, "no-helper");
}

TEST(HelperPlaces, AreBesideTheBinaryAlsoAtTheRoot) {
  EXPECT_EQ(helper_places("/usr/bin/holdfast", "x")[0], "/usr/libexec/holdfast/x");
  EXPECT_EQ(helper_places("/usr/bin/holdfast", "x")[1], "/usr/bin/x");
  EXPECT_EQ(helper_places("/bin/holdfast", "x")[0], "/libexec/holdfast/x");
  EXPECT_EQ(helper_places("/holdfast", "x"), std::vector<std::string>{"/x"});
  EXPECT_EQ(helper_places("/tmp/mine/holdfast", "x"), std::vector<std::string>{"/tmp/mine/x"});
  EXPECT_EQ(helper_places("/opt/sbin/holdfast", "x").size(), 1U);
}

TEST(FindHelper, LooksFromTheRunningProgram) {
  const auto found = find_helper("hf-no-such-helper");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().cause, "no-helper");
}

}  // namespace
}  // namespace holdfast::cli
