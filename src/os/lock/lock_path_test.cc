// SPDX-License-Identifier: Apache-2.0
#include "os/lock/lock_path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

namespace fs = std::filesystem;

Result<std::optional<OpenedFile>> open_path(const std::string& path, MakeLockPath make) {
  const LockPath found = HF_TRY(find_lock_path(path));
  return open_lock_path(found.dir, found.name, make);
}

std::string real_path(const std::string& path) { return find_lock_path(path).value().real_path; }

TEST(LockPath, IsFoundUnderItsOneNameHoweverItIsSpelt) {
  const testing::TempDir temp;
  fs::create_directory(temp.path("d"));
  const std::string real = fs::canonical(temp.path()).string();
  EXPECT_EQ(real_path(temp.path("x")), real + "/x");
  EXPECT_EQ(real_path(temp.path("d/../x")), real + "/x");
  for (const char* spelt : {"d", "d/", "d/.", "d/../d//"}) {
    EXPECT_EQ(real_path(temp.path(spelt)), real + "/d") << spelt;
  }
  fs::create_symlink("x", temp.path("link"));
  fs::create_symlink(temp.path("d/../link"), temp.path("d/far"));
  EXPECT_EQ(real_path(temp.path("link")), real + "/x");
  EXPECT_EQ(real_path(temp.path("d/far")), real + "/x");
}

TEST(LockPath, IsMadeOnceAndOnlyIfAsked) {
  const testing::TempDir temp;
  const std::string path = temp.path("x");
  EXPECT_FALSE(open_path(path, MakeLockPath::kNo).value());
  EXPECT_FALSE(fs::exists(path));
  const auto made = open_path(path, MakeLockPath::kYes).value();
  const auto again = open_path(path, MakeLockPath::kYes).value();
  ASSERT_TRUE(made && again);
  EXPECT_EQ(made->info.id, again->info.id);
  EXPECT_TRUE(fs::is_empty(path));
  const int flags = ::fcntl(static_cast<int>(made->file.native()), F_GETFL);
  EXPECT_EQ(flags & O_ACCMODE, O_RDONLY);
}

TEST(LockPath, WhatIsNeitherFileNorDirectoryIsNotOpened) {
  const testing::TempDir temp;
  ASSERT_EQ(::mkfifo(temp.path("fifo").c_str(), 0600), 0);
  for (const std::string& path : {temp.path("fifo"), std::string("/dev/null")}) {
    const auto opened = open_path(path, MakeLockPath::kYes);
    ASSERT_FALSE(opened) << path;
    EXPECT_EQ(opened.error().cause, "not-lockable");
  }
  const auto root = find_lock_path("/../");
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().cause, "root");
  fs::create_symlink("loop", temp.path("loop"));
  EXPECT_EQ(find_lock_path(temp.path("loop")).error().cause, "too-many-links");
  EXPECT_EQ(find_lock_path(temp.path("no/x")).error().code, ErrorCode::kNotFound);
}

TEST(LockPath, APlantedLinkIsRefusedAndMakesNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make the link of another user";
  const testing::TempDir temp;
  ASSERT_EQ(::chmod(temp.path().c_str(), 01777), 0);
  fs::create_symlink("victim", temp.path("link"));
  EXPECT_TRUE(find_lock_path(temp.path("link")));
  ASSERT_EQ(::lchown(temp.path("link").c_str(), 65534, 65534), 0);
  const auto planted = find_lock_path(temp.path("link"));
  ASSERT_FALSE(planted);
  EXPECT_EQ(planted.error().code, ErrorCode::kRefused);
  EXPECT_EQ(planted.error().cause, "planted-link");
  // Who may write to the directory alone may plant what it likes; the owner of the directory, too.
  ASSERT_EQ(::chmod(temp.path().c_str(), 0755), 0);
  EXPECT_TRUE(find_lock_path(temp.path("link")));
  ASSERT_EQ(::chmod(temp.path().c_str(), 01777), 0);
  ASSERT_EQ(::chown(temp.path().c_str(), 65534, 65534), 0);
  EXPECT_TRUE(find_lock_path(temp.path("link")));
  EXPECT_FALSE(fs::exists(temp.path("victim")));
}

// The name is free when it is looked at, and a link when it is opened.
class PlantsALink final : public testing::CallHook {
 public:
  explicit PlantsALink(std::string path) : path_(std::move(path)) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name == "openat" && !planted_) {
      planted_ = true;
      fs::create_symlink("victim", path_);
    }
    return {};
  }

 private:
  std::string path_;
  bool planted_ = false;
};

TEST(LockPath, ALinkThatComesInBetweenIsNotFollowed) {
  const testing::TempDir temp;
  const LockPath found = find_lock_path(temp.path("x")).value();
  PlantsALink hook(temp.path("x"));
  const testing::ScopedCallHook hooked(hook);
  const auto opened = open_lock_path(found.dir, found.name, MakeLockPath::kYes);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().cause, "is-link");
  EXPECT_FALSE(fs::exists(temp.path("victim")));
}

}  // namespace
}  // namespace holdfast::os
