// SPDX-License-Identifier: Apache-2.0
#include "os/path/safe_name.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast::os {
namespace {

void expect_refused(std::string_view text) {
  const auto name = SafeName::make(text);
  ASSERT_FALSE(name) << text;
  EXPECT_EQ(name.error().code, ErrorCode::kRefused);
  EXPECT_EQ(name.error().cause, "unsafe-name");
  EXPECT_FALSE(name.error().detail.empty());
}

TEST(SafeNameContract, OrdinaryNamesAreKeptByteForByte) {
  for (const std::string_view text :
       {"a", "session.json", "..a", "a..b", ".hidden", "two words", "fix-160", "grüße-日本-😀"}) {
    const auto name = SafeName::make(text);
    ASSERT_TRUE(name) << text;
    EXPECT_EQ(name->str(), text);
  }
}

TEST(SafeNameContract, NothingThatLeavesTheDirectoryIsAName) {
  for (const std::string_view text : {"", ".", "..", "/", "a/b", "/a", "a/", "../a"}) {
    expect_refused(text);
  }
}

TEST(SafeNameContract, ANulByteIsRefused) { expect_refused(std::string_view("a\0b", 3)); }

TEST(SafeNameContract, LengthIsCountedInBytes) {
  EXPECT_TRUE(SafeName::make(std::string(255, 'x')));
  expect_refused(std::string(256, 'x'));
  std::string two_byte_letters;
  for (int i = 0; i < 128; ++i) two_byte_letters += "ä";
  expect_refused(two_byte_letters);
}

TEST(SafeNameContract, ALiteralEqualsTheSameNameMade) {
  const SafeName literal = "locks"_name;
  EXPECT_EQ(literal, *SafeName::make("locks"));
}

}  // namespace
}  // namespace holdfast::os
