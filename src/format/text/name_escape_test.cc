// SPDX-License-Identifier: Apache-2.0
#include "format/text/name_escape.h"

#include <gtest/gtest.h>

#include <map>

namespace holdfast {
namespace {

constexpr auto kCased = NameRules::kCased;
constexpr auto kCaseless = NameRules::kCaseless;

std::string escaped(std::string_view raw, NameRules rules = kCased) {
  return escape_name(raw, rules).value_or("(refused)");
}

TEST(NameEscape, PlainNamesStayAsTheyAre) {
  EXPECT_EQ(escaped("fix-160"), "fix-160");
  EXPECT_EQ(escaped("Deploy_2.prod"), "Deploy_2.prod");
}

TEST(NameEscape, NothingCanLeaveTheDirectoryOrHide) {
  EXPECT_EQ(escaped("."), "%2E");
  EXPECT_EQ(escaped(".."), "%2E.");
  EXPECT_EQ(escaped("../../etc/passwd"), "%2E.%2F..%2Fetc%2Fpasswd");
  EXPECT_EQ(escaped(".hf-stage-1"), "%2Ehf-stage-1");
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a%00b");
  EXPECT_EQ(escaped("50%"), "50%25");
  EXPECT_EQ(escaped("ü"), "%C3%BC");
}

TEST(NameEscape, LimitsAreAnsweredWithUsage) {
  EXPECT_EQ(escape_name("", kCased).error().code, ErrorCode::kUsage);
  EXPECT_TRUE(escape_name(std::string(128, 'a'), kCased));
  EXPECT_EQ(escape_name(std::string(129, 'a'), kCased).error().code, ErrorCode::kUsage);
  EXPECT_TRUE(escape_name(std::string(66, '/') + "aa", kCased));  // exactly 200 escaped
  EXPECT_EQ(escape_name(std::string(67, '/'), kCased).error().code, ErrorCode::kUsage);
}

TEST(NameEscape, CaselessFileSystemsKeepTheDifference) {
  EXPECT_EQ(escaped("Fix", kCaseless), "%46ix");
  EXPECT_EQ(escaped("con", kCaseless), "co%6E");
  EXPECT_EQ(escaped("nul.txt", kCaseless), "nu%6C.txt");
  EXPECT_EQ(escaped("com7", kCaseless), "com%37");
  EXPECT_EQ(escaped("console", kCaseless), "console");
  EXPECT_EQ(escaped("end.", kCaseless), "end%2E");
}

TEST(NameEscape, EveryByteInEveryPlaceComesBackAndNoTwoNamesShareAFile) {
  for (const NameRules rules : {kCased, kCaseless}) {
    std::map<std::string, std::string> owner;
    for (int first = 0; first < 256; ++first) {
      for (int second = 0; second < 256; ++second) {
        for (const char* stem : {"", "co"}) {
          const std::string raw =
              stem + std::string{static_cast<char>(first), static_cast<char>(second)};
          const auto file = escape_name(raw, rules);
          ASSERT_TRUE(file);
          EXPECT_TRUE(owner.emplace(*file, raw).second) << *file;
          EXPECT_EQ(unescape_name(*file, rules).value_or("(corrupt)"), raw);
        }
      }
    }
  }
}

TEST(NameEscape, AFileNameThatHoldfastNeverWritesIsCorrupt) {
  for (const char* name :
       {"", ".hidden", "a%2f", "a%2", "a%", "%41bc", "a b", "%zz", "%%", "a%2E"}) {
    const auto raw = unescape_name(name, kCased);
    ASSERT_FALSE(raw) << name;
    EXPECT_EQ(raw.error().code, ErrorCode::kCorrupt) << name;
  }
  EXPECT_FALSE(unescape_name("Fix", kCaseless));
}

TEST(NameEscape, APathOfALockIsLongerThanANameAndComesBack) {
  for (const char* path : {"/", "./x", "../x", ".", "..", "/tmp/x.lock"}) {
    EXPECT_TRUE(is_lock_path(path)) << path;
  }
  for (const char* name : {"x", ".x", "..x", "a/b", "~/x", ""}) {
    EXPECT_FALSE(is_lock_path(name)) << name;
  }
  const std::string path = "/run/lock/" + std::string(200, 'a') + ".lock";
  const auto file = escape_lock_path(path, kCased);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->starts_with("%2Frun%2Flock%2Faaa")) << *file;
  EXPECT_EQ(unescape_lock(*file, kCased).value_or(""), path);
  EXPECT_FALSE(unescape_name(*file, kCased));
  EXPECT_EQ(unescape_lock("deploy", kCased).value_or(""), "deploy");
  const std::string longest = "/" + std::string(247, 'a');
  EXPECT_TRUE(escape_lock_path(longest, kCased));
  EXPECT_EQ(escape_lock_path(longest + "a", kCased).error().cause, "name-too-long");
}

}  // namespace
}  // namespace holdfast
