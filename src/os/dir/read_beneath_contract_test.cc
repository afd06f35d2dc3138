// SPDX-License-Identifier: Apache-2.0
#include "os/dir/read_beneath.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using ReadBeneathContractKind = BeneathRead::Kind;

class ReadBeneathContract : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(tmp_.dir().make_dir("d"_name, 0700).value(), Made::kMade);
    auto file = tmp_.dir().open_dir("d"_name).value().create_file("f"_name, 0600).value().value();
    ASSERT_TRUE(file.write_all("bytes"));
  }
  BeneathRead read(const char* directory, const char* file) {
    return read_own_beneath(tmp_.dir(), directory, file, buffer_);
  }

  testing::TempDir tmp_;
  std::array<char, 64> buffer_{};
};

TEST_F(ReadBeneathContract, AFileOfOurOwnIsRead) {
  const BeneathRead done = read("d", "f");
  ASSERT_EQ(done.kind, ReadBeneathContractKind::kRead) << done.cause << done.os_code;
  EXPECT_EQ(std::string_view(buffer_.data(), done.size), "bytes");
}

TEST_F(ReadBeneathContract, AsManyBytesAsThereIsRoomFor) {
  std::array<char, 2> small{};
  EXPECT_EQ(read_own_beneath(tmp_.dir(), "d", "f", small).size, 2U);
}

TEST_F(ReadBeneathContract, ThatNothingIsThereIsAnAnswer) {
  EXPECT_EQ(read("d", "none").kind, ReadBeneathContractKind::kNotThere);
  EXPECT_EQ(read("none", "f").kind, ReadBeneathContractKind::kNotThere);
}

TEST_F(ReadBeneathContract, WhatIsOfAnotherTypeIsRefused) {
  ASSERT_EQ(tmp_.dir().open_dir("d"_name).value().make_dir("sub"_name, 0700).value(), Made::kMade);
  const BeneathRead directory = read("d", "sub");
  EXPECT_EQ(directory.kind, ReadBeneathContractKind::kRefused);
  EXPECT_EQ(directory.cause, "not-a-regular-file");
  ASSERT_TRUE(tmp_.dir().create_file("file"_name, 0600).value());
  EXPECT_EQ(read("file", "f").kind, ReadBeneathContractKind::kRefused);
}

TEST_F(ReadBeneathContract, ALinkToTheDirectoryIsNotFollowed) {
  if (!testing::make_dir_link(tmp_.path("d"), tmp_.path("link"))) GTEST_SKIP() << "no links here";
  const BeneathRead done = read("link", "f");
  EXPECT_EQ(done.kind, ReadBeneathContractKind::kRefused);
  // A Linux without openat2 cannot tell a link from a file here.
  EXPECT_TRUE(done.cause == "is-link" || done.cause == "not-a-directory") << done.cause;
}

TEST_F(ReadBeneathContract, ALinkToTheFileIsNotFollowed) {
  if (!testing::make_file_link(tmp_.path("d/f"), tmp_.path("d/link"))) {
    GTEST_SKIP() << "no links to files here";
  }
  const BeneathRead done = read("d", "link");
  EXPECT_EQ(done.kind, ReadBeneathContractKind::kRefused);
  EXPECT_EQ(done.cause, "is-link");
}

TEST_F(ReadBeneathContract, AFileWithAnotherNameIsRefused) {
  std::filesystem::create_hard_link(tmp_.path("d/f"), tmp_.path("d/twin"));
  EXPECT_EQ(read("d", "f").cause, "hard-linked");
}

}  // namespace
}  // namespace holdfast::os
