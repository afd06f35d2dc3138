// SPDX-License-Identifier: Apache-2.0
#include "os/file/file.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "os/dir/dir.h"
#include "os/file/stat_without_times.h"
#include "testing/platform.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class FileContract : public ::testing::Test {
 protected:
  // A new file with `bytes`, the position at its start.
  File file_with(std::string_view bytes) {
    auto file = temp_.dir().create_file("f"_name, 0600);
    EXPECT_TRUE(file && *file);
    EXPECT_TRUE((*file)->write_at(0, bytes));
    return std::move(**file);
  }
  File reopened(Access access) {
    auto file = temp_.dir().open_file("f"_name, access);
    EXPECT_TRUE(file && *file);
    return std::move(**file);
  }

  holdfast::testing::TempDir temp_;
};

std::string every_byte() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  return bytes + "\r\n\n\x1a" + bytes;
}

TEST_F(FileContract, WhatIsWrittenIsReadBackByteForByte) {
  File file = file_with("");
  ASSERT_TRUE(file.write_all(every_byte()));
  ASSERT_TRUE(file.close());
  EXPECT_EQ(reopened(Access::kRead).read_all(4096).value(), every_byte());
}

TEST_F(FileContract, ALargeFileComesBackWhole) {
  std::string bytes;
  for (int i = 0; i < 200'000; ++i) bytes += std::to_string(i);
  File file = file_with(bytes);
  EXPECT_EQ(file.read_all(bytes.size()).value(), bytes);
}

TEST_F(FileContract, ReadAllTakesExactlyTheLimitAndRefusesOneByteMore) {
  File file = file_with("12345");
  EXPECT_EQ(file.read_all(5).value(), "12345");
  const auto result = reopened(Access::kRead).read_all(4);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kRefused);
  EXPECT_EQ(result.error().cause, "too-large");
}

TEST_F(FileContract, AnEmptyFileReadsAsEmptyEvenWithLimitZero) {
  File file = file_with("");
  EXPECT_EQ(file.read_all(0).value(), "");
}

TEST_F(FileContract, ReadAtGivesThePartThatIsThere) {
  const File file = file_with("hello");
  EXPECT_EQ(file.read_at(1, 3).value(), "ell");
  EXPECT_EQ(file.read_at(3, 100).value(), "lo");
  EXPECT_EQ(file.read_at(0, 0).value(), "");
}

TEST_F(FileContract, ReadAtPastTheEndIsEmpty) {
  const File file = file_with("hello");
  EXPECT_EQ(file.read_at(5, 1).value(), "");
  EXPECT_EQ(file.read_at(1U << 20U, 10).value(), "");
  EXPECT_EQ(file.read_at(std::uint64_t{1} << 40U, 10).value(), "");
}

TEST_F(FileContract, TransfersAtAnOffsetLeaveThePositionAlone) {
  File file = file_with("0123456789");
  EXPECT_EQ(file.read_at(7, 2).value(), "78");
  ASSERT_TRUE(file.write_at(9, "X"));
  EXPECT_EQ(file.read_all(100).value(), "012345678X");
}

TEST_F(FileContract, WriteAtPastTheEndFillsTheGapWithZeros) {
  File file = file_with("ab");
  ASSERT_TRUE(file.write_at(4, "ef"));
  EXPECT_EQ(file.read_all(100).value(), std::string("ab\0\0ef", 6));
}

TEST_F(FileContract, TruncateShortensAndLengthens) {
  File file = file_with("hello");
  ASSERT_TRUE(file.truncate(2));
  EXPECT_EQ(file.info().value().size, 2U);
  ASSERT_TRUE(file.truncate(4));
  EXPECT_EQ(file.read_all(100).value(), std::string("he\0\0", 4));
}

TEST_F(FileContract, InfoTellsTypeSizeLinksAndIdentity) {
  const File file = file_with("hello");
  const FileInfo info = file.info().value();
  EXPECT_EQ(info.type, FileType::kRegular);
  EXPECT_EQ(info.size, 5U);
  EXPECT_EQ(info.links, 1U);
  EXPECT_EQ(info.id, reopened(Access::kRead).info().value().id);
  EXPECT_GT(info.modified, WallTime(std::chrono::sys_days(std::chrono::year(2020) / 1 / 1)));
}

TEST_F(FileContract, AFileOpenedForReadingTakesNoWrites) {
  file_with("hello");
  File file = reopened(Access::kRead);
  EXPECT_FALSE(file.write_all("x"));
  EXPECT_FALSE(file.write_at(0, "x"));
  EXPECT_FALSE(file.truncate(0));
  EXPECT_EQ(file.read_all(100).value(), "hello");
}

TEST_F(FileContract, SyncOfAWrittenFileSucceeds) {
  File file = file_with("hello");
  EXPECT_TRUE(file.sync());
}

TEST_F(FileContract, SyncOfTheDataAloneSucceeds) {
  File file = file_with("hello");
  EXPECT_TRUE(file.sync_data());
  ASSERT_TRUE(file.close());
  EXPECT_FALSE(file.sync_data());
}

TEST_F(FileContract, ReadIntoFillsTheBufferAsFarAsTheFileGoes) {
  const File file = file_with("hello");
  std::array<char, 8> buffer{};
  EXPECT_EQ(file.read_into(0, std::span(buffer).first(2)).value(), 2U);
  EXPECT_EQ(std::string_view(buffer.data(), 3), std::string_view("he\0", 3));
  EXPECT_EQ(file.read_into(1, buffer).value(), 4U);
  EXPECT_EQ(std::string_view(buffer.data(), 5), std::string_view("ello\0", 5));
  EXPECT_EQ(file.read_into(0, {}).value(), 0U);
}

TEST_F(FileContract, ReadIntoPastTheEndIsNothing) {
  const File file = file_with("hello");
  std::array<char, 8> buffer{};
  EXPECT_EQ(file.read_into(5, buffer).value(), 0U);
  EXPECT_EQ(file.read_into(std::uint64_t{1} << 40U, buffer).value(), 0U);
}

TEST_F(FileContract, ReadIntoLeavesThePositionAlone) {
  File file = file_with("0123456789");
  std::array<char, 2> buffer{};
  EXPECT_EQ(file.read_into(7, buffer).value(), 2U);
  EXPECT_EQ(file.read_all(100).value(), "0123456789");
}

TEST_F(FileContract, AllocateLengthensAndNeverShortens) {
  File file = file_with("hello");
  ASSERT_TRUE(file.allocate(0));
  EXPECT_EQ(file.info().value().size, 5U);
  ASSERT_TRUE(file.allocate(8));
  EXPECT_EQ(file.info().value().size, 8U);
  ASSERT_TRUE(file.allocate(2));
  EXPECT_EQ(file.read_all(100).value(), std::string("hello\0\0\0", 8));
}

TEST_F(FileContract, AppendsOfTwoHandlesDoNotOverwriteEachOther) {
  file_with("start,");
  File one = reopened(Access::kAppend);
  File other = reopened(Access::kAppend);
  ASSERT_TRUE(one.write_all("one,"));
  ASSERT_TRUE(other.write_all("other,"));
  ASSERT_TRUE(one.write_all("one again"));
  EXPECT_EQ(reopened(Access::kRead).read_all(100).value(), "start,one,other,one again");
}

TEST_F(FileContract, AnAppendGoesToTheEndWhereverWasRead) {
  file_with("start,");
  File file = reopened(Access::kAppend);
  EXPECT_EQ(file.read_at(0, 2).value(), "st");
  ASSERT_TRUE(file.write_all("more"));
  EXPECT_EQ(file.read_at(0, 100).value(), "start,more");
  ASSERT_TRUE(file.truncate(2));
  ASSERT_TRUE(file.write_all("X"));
  EXPECT_EQ(file.read_at(0, 100).value(), "stX");
}

TEST_F(FileContract, AFileOpenedToAppendRefusesAnOffset) {
  file_with("start");
  File file = reopened(Access::kAppend);
  const auto wrote = file.write_at(0, "X");
  ASSERT_FALSE(wrote);
  EXPECT_EQ(wrote.error().cause, "einval");
  EXPECT_EQ(file.read_at(0, 100).value(), "start");
}

TEST_F(FileContract, ClosingTwiceIsAnError) {
  File file = file_with("hello");
  EXPECT_TRUE(file.close());
  const auto again = file.close();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().cause, "ebadf");
}

TEST_F(FileContract, AFileOfOnesOwnIsOpenToNobodyElse) {
  const Exposure exposure = file_with("secret").exposure().value();
  EXPECT_EQ(exposure.owner, Exposure::Owner::kSelf);
  EXPECT_EQ(exposure.others, Exposure::Others::kNothing);
}

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
