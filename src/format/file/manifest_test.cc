// SPDX-License-Identifier: Apache-2.0
#include "format/file/manifest.h"

#include <gtest/gtest.h>

#include "format/file/owner_text.h"
#include "format/text/expand.h"

namespace holdfast {
namespace {

Result<std::vector<ManifestEntry>> manifest_parsed(std::string_view text) {
  return parse_manifest(text, "m.toml", "/base/dir",
                        [](const std::string& name) -> std::optional<std::string> {
                          if (name == "HOME") return "/home/me";
                          if (name == "ID") return "7";
                          return std::nullopt;
                        });
}

std::string manifest_refusal(std::string_view text) {
  const auto entries = manifest_parsed(text);
  if (entries) return "none";
  EXPECT_EQ(entries.error().code, ErrorCode::kConfig);
  return entries.error().subject + " " + entries.error().cause;
}

// An entry with its three necessary keys, and `more`.
std::string manifest_entry(std::string_view path, std::string_view more = "") {
  return "[[path]]\npath = '" + std::string(path) + "'\ntype = 'file'\nmode = '0644'\n" +
         std::string(more) + "\n";
}

TEST(Manifest, EveryKeyIsRead) {
  const auto entries = manifest_parsed(
      "[[path]]\npath = \"~/a\"\ntype = \"file\"\nmode = \"0640\"\nowner = \"1:2\"\n"
      "parents = true\ninitial = \"{}\\n\"\npin = true\nreadable_by = \"3:4\"\n"
      "[[path]]\npath = \"x//./y/../d/\"\ntype = \"dir\"\nmode = \"1777\"\nowner = \"www-data\"\n");
  ASSERT_TRUE(entries) << to_sentence(entries.error());
  ASSERT_EQ(entries->size(), 2U);
  const ManifestEntry& file = entries->at(0);
  EXPECT_EQ(file.path, "/home/me/a");
  EXPECT_EQ(file.type, PathType::kFile);
  EXPECT_EQ(file.mode, 0640U);
  EXPECT_EQ(file.owner, OwnerText(Ids{1, 2}));
  EXPECT_TRUE(file.parents && file.pin);
  EXPECT_EQ(file.initial, "{}\n");
  EXPECT_EQ(file.readable_by, (Ids{3, 4}));
  const ManifestEntry& dir = entries->at(1);
  EXPECT_EQ(dir.path, "/base/dir/x/d");
  EXPECT_EQ(dir.mode, 01777U);
  EXPECT_EQ(dir.owner, OwnerText(UserName{"www-data"}));
  EXPECT_FALSE(dir.parents || dir.pin || dir.readable_by);
  EXPECT_EQ(dir.line, 10);
}

TEST(Manifest, VariablesAreFilledInWhereverAUserOrAPathIsNamed) {
  const auto entries =
      manifest_parsed(manifest_entry("a${ID}", "owner = '${ID}:8'\nreadable_by = '9:${ID}'"));
  ASSERT_TRUE(entries) << to_sentence(entries.error());
  EXPECT_EQ(entries->front().path, "/base/dir/a7");
  EXPECT_EQ(entries->front().owner, OwnerText(Ids{7, 8}));
  EXPECT_EQ(entries->front().readable_by, (Ids{9, 7}));
  EXPECT_EQ(manifest_refusal(manifest_entry("a", "owner = '${NOBODY}:8'")),
            "m.toml:5:1 unset-variable");
  EXPECT_EQ(manifest_refusal(manifest_entry("a", "readable_by = '${ID}'")), "m.toml:5:1 bad-owner");
}

TEST(Manifest, MissingOrBadValuesAreRefusedWithTheirLine) {
  EXPECT_EQ(manifest_refusal("[[path]]\ntype = 'file'\nmode = '0644'\n"),
            "m.toml:1:1 toml-missing");
  EXPECT_EQ(manifest_refusal("[[path]]\npath = 'a'\nmode = '0644'\n"), "m.toml:1:1 toml-missing");
  EXPECT_EQ(manifest_refusal("[[path]]\npath = 'a'\ntype = 'file'\n"), "m.toml:1:1 toml-missing");
  EXPECT_EQ(manifest_refusal("[[path]]\ntype = 'link'\n"), "m.toml:2:1 bad-type");
  EXPECT_EQ(manifest_refusal("[[path]]\npath='a'\ntype='dir'\nmode='0755'\ninitial=''\n"),
            "m.toml:5:1 bad-type");
  for (const std::string_view mode : {"64", "00644", "0648", "rw-r--r--", "", "+644"}) {
    EXPECT_EQ(
        manifest_refusal("[[path]]\npath='a'\ntype='dir'\nmode='" + std::string(mode) + "'\n"),
        "m.toml:4:1 bad-mode");
  }
  EXPECT_EQ(manifest_refusal("[[path]]\npath='a'\ntype='dir'\nmode=755\n"), "m.toml:4:1 toml-type");
  for (const std::string_view owner : {"1000", "", "a:b", "1:", "4294967295:1", "1:99999999999"}) {
    EXPECT_EQ(manifest_refusal(manifest_entry("a", "owner = '" + std::string(owner) + "'")),
              "m.toml:5:1 bad-owner");
  }
  EXPECT_EQ(manifest_refusal(manifest_entry("a", "readable_by = 'me'")), "m.toml:5:1 bad-owner");
  EXPECT_EQ(manifest_refusal(manifest_entry("a", "starting = 'x'")), "m.toml:5:1 toml-unknown-key");
  EXPECT_EQ(manifest_refusal(""), "m.toml:1:1 toml-missing");
  EXPECT_EQ(manifest_refusal("[path]\n"), "m.toml:1:2 toml-type");
  EXPECT_EQ(manifest_refusal("[[paths]]\n"), "m.toml:1:3 toml-unknown-key");
}

TEST(Manifest, PathsThatMeanNothingToMakeAreRefused) {
  for (const std::string_view path : {"", "/", "a/", "../../..", "/.."}) {
    EXPECT_EQ(manifest_refusal(manifest_entry(path)), "m.toml:2:1 bad-path") << path;
  }
  EXPECT_EQ(manifest_refusal(manifest_entry("${NONE}/a")), "m.toml:2:1 unset-variable");
  EXPECT_EQ(manifest_refusal(manifest_entry("${NONE")), "m.toml:2:1 bad-expansion");
}

TEST(Manifest, OnePathTwiceIsRefusedHoweverItIsSpelled) {
  EXPECT_EQ(
      manifest_refusal(manifest_entry("a") + manifest_entry("b") + manifest_entry("./x/../a")),
      "m.toml:11:1 duplicate-path");
  EXPECT_EQ(manifest_refusal(manifest_entry("a") + manifest_entry("/base//dir/a")),
            "m.toml:6:1 duplicate-path");
}

TEST(Manifest, NothingMayLieBelowAFile) {
  EXPECT_EQ(manifest_refusal(manifest_entry("a/b/c") + manifest_entry("a")),
            "m.toml:1:1 file-above");
  EXPECT_EQ(manifest_refusal(manifest_entry("a") + manifest_entry("ab")), "none");
}

TEST(Manifest, CutAtEveryByteItIsRefusedOrShorter) {
  const std::string text =
      manifest_entry("a", "owner = '1:2'\ninitial = 'x'") + manifest_entry("b");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto entries = manifest_parsed(std::string_view(text).substr(0, length));
    if (entries) {
      EXPECT_LE(entries->size(), 2U);
    } else {
      EXPECT_EQ(entries.error().code, ErrorCode::kConfig);
    }
  }
}

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
