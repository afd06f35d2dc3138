// SPDX-License-Identifier: Apache-2.0
#include "os/file/timeless.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class Timeless : public ::testing::Test {
 protected:
  [[nodiscard]] auto open(std::string_view name) const {
    return open_without_times(tmp_.dir(), SafeName::make(name).value(), Access::kReadWrite);
  }
  [[nodiscard]] std::string path(std::string_view name) const {
    return tmp_.dir().path_of(SafeName::make(name).value());
  }
  void make(std::string_view name) const {
    ASSERT_TRUE(tmp_.dir().create_file(SafeName::make(name).value(), 0640).value());
  }

  testing::TempDir tmp_;
};

TEST_F(Timeless, SaysWhatTheFullLookSaysButForTheTimes) {
  make("file");
  ASSERT_EQ(::link(path("file").c_str(), path("second").c_str()), 0);
  const auto opened = open("file").value().value();
  const FileInfo full = opened.file.info().value();
  EXPECT_EQ(opened.info.type, full.type);
  EXPECT_EQ(opened.info.id, full.id);
  EXPECT_EQ(opened.info.links, 2U);
  EXPECT_EQ(opened.info.mode, full.mode);
  EXPECT_EQ(opened.info.uid, full.uid);
  EXPECT_EQ(id_of_path(path("file")).value(), full.id);
}

TEST_F(Timeless, NothingThereIsAnAnswer) {
  EXPECT_FALSE(open("file").value());
  EXPECT_FALSE(id_of_path(path("file")).value());
}

TEST_F(Timeless, WhatIsNoOrdinaryFileIsRefusedAsDirDoes) {
  make("file");
  ASSERT_EQ(::symlink("file", path("link").c_str()), 0);
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(path("dir").c_str(), 0700), 0);
  EXPECT_EQ(open("link").error().cause, "is-link");
  EXPECT_EQ(open("fifo").error().cause, "not-a-regular-file");
  EXPECT_EQ(open("dir").error().cause, "not-a-regular-file");
  EXPECT_NE(id_of_path(path("link")).value(), id_of_path(path("file")).value());
}

TEST_F(Timeless, WorksWhereAFilterDoesNotKnowTheCall) {
  make("file");
  const FileId id = open("file").value()->info.id;
  const testing::MissingCalls missing{{"statx", ENOSYS}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(open("file").value()->info.id, id);
  EXPECT_EQ(id_of_path(tmp_.dir().path()).value(), tmp_.dir().info().value().id);
}

}  // namespace
}  // namespace holdfast::os
