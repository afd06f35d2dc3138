// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "os/file/timeless.h"
#include "testing/links.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class TimelessContract : public ::testing::Test {
 protected:
  [[nodiscard]] auto open() const {
    return open_without_times(tmp_.dir(), "file"_name, Access::kReadWrite);
  }
  testing::TempDir tmp_;
};

TEST_F(TimelessContract, SaysWhatTheFullLookSaysButForTheTimes) {
  ASSERT_TRUE(tmp_.dir().create_file("file"_name, 0600).value());
  const auto opened = open().value().value();
  const FileInfo full = opened.file.info().value();
  EXPECT_EQ(opened.info.type, full.type);
  EXPECT_EQ(opened.info.id, full.id);
  EXPECT_EQ(opened.info.links, 1U);
  EXPECT_EQ(id_of_path(tmp_.dir().path_of("file"_name)).value(), full.id);
}

TEST_F(TimelessContract, NothingThereIsAnAnswer) {
  EXPECT_FALSE(open().value());
  EXPECT_FALSE(id_of_path(tmp_.dir().path_of("file"_name)).value());
}

TEST_F(TimelessContract, WhatIsNoOrdinaryFileIsRefused) {
  ASSERT_EQ(tmp_.dir().make_dir("file"_name, 0700).value(), Made::kMade);
  EXPECT_EQ(open().error().code, ErrorCode::kRefused);
}

TEST_F(TimelessContract, ALinkIsRefusedAndIsNotWhatItLeadsTo) {
  ASSERT_TRUE(tmp_.dir().create_file("target"_name, 0600).value());
  if (!testing::make_file_link(tmp_.path("target"), tmp_.path("file"))) GTEST_SKIP() << "no links";
  EXPECT_EQ(open().error().cause, "is-link");
  EXPECT_NE(id_of_path(tmp_.dir().path_of("file"_name)).value(),
            id_of_path(tmp_.dir().path_of("target"_name)).value());
}

TEST_F(TimelessContract, AFileHasItsNameAsLongAsItHasOne) {
  ASSERT_TRUE(tmp_.dir().create_file("file"_name, 0600).value());
  const auto opened = open().value().value();
  EXPECT_TRUE(has_name(opened.file).value());
}

}  // namespace
}  // namespace holdfast::os
