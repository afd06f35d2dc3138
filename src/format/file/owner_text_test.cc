// SPDX-License-Identifier: Apache-2.0
#include "format/file/owner_text.h"

#include <gtest/gtest.h>

#include "format/file/passwd_names.h"
#include "format/text/lexical_path.h"

namespace holdfast {
namespace {

TEST(OwnerText, ModesAreFormattedAsTheyAreRead) {
  for (const std::uint32_t mode : {0U, 07U, 0644U, 01777U, 07777U}) {
    EXPECT_EQ(parse_mode(format_mode(mode)), mode);
  }
  EXPECT_EQ(parse_mode("755"), 0755U);
  EXPECT_EQ(format_mode(0755), "0755");
}

constexpr std::string_view kPasswd =
    "# "
    "comment\nroot:x:0:0:root:/root:/bin/sh\n+nis::::::\nbad:x:y:0::/:\nme:x:1000:100:Me,,,:/home\n"
    "me:x:1:1::/:\nlast:x:5:6";

TEST(PasswdNames, UserIsFoundByTheWholeNameAndTheFirstLineCounts) {
  EXPECT_EQ(find_user(kPasswd, "root"), (Ids{0, 0}));
  EXPECT_EQ(find_user(kPasswd, "me"), (Ids{1000, 100}));
  EXPECT_EQ(find_user(kPasswd, "last"), (Ids{5, 6}));
}

TEST(PasswdNames, AGroupIsPrivateByEvidenceAlone) {
  const std::string_view users = "root:x:0:0::/:\nann:x:7:7::/:\nbob:x:8:9::/:\n";
  EXPECT_TRUE(is_private_group(users, "ann:x:7:\n", 7, 7));
  EXPECT_TRUE(is_private_group(users, "x:x:6:eve\nann:x:7:ann", 7, 7));
  for (const std::string_view group :
       {"", "ann:x:7:eve", "ann:x:7:ann,eve", "dev:x:7:", "ann:x:7:\nann:x:7:eve", "ann:x:7:\n+"}) {
    EXPECT_FALSE(is_private_group(users, group, 7, 7)) << group;
  }
  EXPECT_FALSE(is_private_group(users, "bob:x:8:", 8, 8));  // not the primary group
  EXPECT_FALSE(is_private_group("", "ann:x:7:", 7, 7));
  EXPECT_FALSE(is_private_group("ann:x:7:7\neve:x:3:7", "ann:x:7:", 7, 7));
}

TEST(PasswdNames, AnythingElseIsNotFound) {
  for (const std::string_view name : {"", "m", "mee", "bad", "x", "# comment", "+nis"}) {
    EXPECT_EQ(find_user(kPasswd, name), std::nullopt) << name;
  }
  EXPECT_EQ(find_user("", "root"), std::nullopt);
}

TEST(LexicalPath, OneSpellingForEachPlace) {
  EXPECT_EQ(lexical_path("/b", "a"), "/b/a");
  EXPECT_EQ(lexical_path("/b/c/", "../a//./d/"), "/b/a/d");
  EXPECT_EQ(lexical_path("/b", "/a/../../x"), "/x");
  EXPECT_EQ(lexical_path("/", "."), "/");
  EXPECT_EQ(lexical_path("/b", "a\nb'\""), "/b/a\nb'\"");
  EXPECT_EQ(lexical_parent("/a/b"), "/a");
  EXPECT_EQ(lexical_parent("/a"), "/");
}

}  // namespace
}  // namespace holdfast
