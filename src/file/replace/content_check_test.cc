// SPDX-License-Identifier: Apache-2.0
#include "file/replace/content_check.h"

#include <gtest/gtest.h>

#include "testing/temp_dir.h"

namespace holdfast::file {
namespace {

using os::operator""_name;

constexpr std::size_t kChunk = 65536;  // what the checks read at once

using Examine = Result<> (*)(const os::File&, std::uint64_t);

class ContentCheck : public ::testing::Test {
 protected:
  // "" where the content is accepted, else the cause.
  std::string verdict(Examine check, std::string_view content) {
    return judge(check, content).cause;
  }
  std::string detail(Examine check, std::string_view content) {
    return judge(check, content).detail;
  }

 private:
  Error judge(Examine check, std::string_view content) {
    tmp_.clear();
    auto file = tmp_.dir().create_file("f"_name, 0600).value();
    EXPECT_TRUE(file->write_all(content));
    const auto result = check(*file, content.size());
    if (result) return Error{};
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
    return result.error();
  }

  testing::TempDir tmp_;
};

TEST_F(ContentCheck, JsonIsExactlyOneValue) {
  for (const std::string_view good :
       {"{}", "null", " [1, 2.5e3, \"\xc3\xa9\\u00e9\"]\r\n", "{\"a\":1,\"a\":2}", "\"\""}) {
    EXPECT_EQ(verdict(check_json, good), "") << good;
  }
  for (const std::string_view bad :
       {"", " ", "\n", "{} {}", "{},", "{\"a\":}", "[1,]", "nul", "01", "'a'", "{a:1}", "// x\n1",
        "\xef\xbb\xbf{}", "NaN", "\"\x01\"", "1e999"}) {
    EXPECT_EQ(verdict(check_json, bad), "check-json") << bad;
  }
}

TEST_F(ContentCheck, JsonThatIsNotUtf8IsRefused) {
  for (const std::string_view bad : {"\"\xff\"", "\"\xc3\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\""}) {
    EXPECT_EQ(verdict(check_json, bad), "check-json");
  }
}

TEST_F(ContentCheck, JsonRefusalNamesLineAndColumn) {
  const std::string why = detail(check_json, "{\n  \"a\": nope\n}");
  EXPECT_NE(why.find("line 2, column 9"), std::string::npos) << why;
}

TEST_F(ContentCheck, JsonCutAtEveryByteIsRefused) {
  const std::string sample =
      "{\"k\\u00e9y\": [1.5e-3, true, null, \"\xf0\x9f\x8c\x8d\"], \"z\": {}}";
  for (std::size_t length = 0; length < sample.size(); ++length) {
    EXPECT_EQ(verdict(check_json, sample.substr(0, length)), "check-json") << length;
  }
  EXPECT_EQ(verdict(check_json, sample), "");
}

TEST_F(ContentCheck, ChunkBorderInsideAnyTokenChangesNothing) {
  const std::string sample = "{\"k\": [1.5e-3, true, \"\xf0\x9f\x8c\x8d\"]}";
  for (std::size_t before = 0; before <= sample.size(); ++before) {
    const std::string padding(kChunk - before, ' ');
    EXPECT_EQ(verdict(check_json, padding + sample), "") << before;
    EXPECT_EQ(verdict(check_jsonl, padding + sample + "\n1\n"), "") << before;
    EXPECT_EQ(verdict(check_utf8, padding + sample), "") << before;
    EXPECT_EQ(verdict(check_json, padding + sample + "}"), "check-json") << before;
  }
}

TEST_F(ContentCheck, JsonOfAnyDepthNeverOverflowsTheStack) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(verdict(check_json, nested(10'000)), "");
  EXPECT_EQ(verdict(check_json, nested(10'001)), "check-json");
  EXPECT_EQ(verdict(check_json, std::string(4'000'000, '[')), "check-json");
}

TEST_F(ContentCheck, LongTokenIsNotRepeatedInTheMessage) {
  EXPECT_LT(detail(check_json, "[\"" + std::string(1'000'000, 'x')).size(), 400U);
}

TEST_F(ContentCheck, JsonLinesAreOneValueEach) {
  for (const std::string_view good :
       {"1", "1\n", "{}\n{}\n", "{}\r\n{}\r\n", "\n{}\n\n \t\r\n[]", "{} \n"}) {
    EXPECT_EQ(verdict(check_jsonl, good), "") << good;
  }
  for (const std::string_view bad :
       {"", "\n\n", " ", "{}{}\n", "{}\n{\n}\n", "{}\n\xef\xbb\xbf{}"}) {
    EXPECT_EQ(verdict(check_jsonl, bad), "check-jsonl") << bad;
  }
}

TEST_F(ContentCheck, JsonLinesRefusalNamesTheLine) {
  const std::string why = detail(check_jsonl, "{}\n\n{}\n{\"a\":}\n{}\n");
  EXPECT_NE(why.find("line 4 "), std::string::npos) << why;
  EXPECT_NE(why.find("column 6"), std::string::npos) << why;
}

TEST_F(ContentCheck, JsonLinesCutInsideTheLastLineAreRefused) {
  const std::string first = "{\"a\": 1}\r\n";
  const std::string second = "{\"b\": \"\xc3\xa9\"}";
  for (std::size_t length = 1; length < second.size(); ++length) {
    EXPECT_EQ(verdict(check_jsonl, first + second.substr(0, length)), "check-jsonl") << length;
  }
  EXPECT_EQ(verdict(check_jsonl, first), "");
}

TEST_F(ContentCheck, TomlIsParsedAndTheLineNamed) {
  EXPECT_EQ(verdict(check_toml, ""), "");
  EXPECT_EQ(verdict(check_toml, "a = 1\n[b]\n"), "");
  EXPECT_EQ(verdict(check_toml, "a = 1\nb = \n"), "check-toml");
  EXPECT_NE(detail(check_toml, "a = 1\nb = \n").find("line 2"), std::string::npos);
  EXPECT_EQ(verdict(check_toml, std::string((16U << 20U) + 1, '\n')), "check-toml");
}

TEST_F(ContentCheck, Utf8RefusesEveryMalformedSequenceWithItsOffset) {
  EXPECT_EQ(verdict(check_utf8, ""), "");
  EXPECT_EQ(verdict(check_utf8, std::string_view("a\0\xc3\xa9\xe2\x82\xac\xf4\x8f\xbf\xbf", 11)),
            "");
  for (const std::string_view bad : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                     "\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x8c", "\xf8\x88"}) {
    for (const std::size_t before : {std::size_t{0}, kChunk - 2, kChunk - 1, kChunk}) {
      const std::string why = detail(check_utf8, std::string(before, 'x') + std::string(bad));
      EXPECT_NE(why.find("byte " + std::to_string(before)), std::string::npos) << before << why;
      EXPECT_EQ(verdict(check_utf8, std::string(before, 'x') + std::string(bad) + "abcdef"),
                "check-utf8");
    }
  }
}

TEST_F(ContentCheck, BuiltInChecksAreFoundByTheirWord) {
  for (const std::string_view word : {"json", "jsonl", "toml", "utf8"}) {
    const auto check = built_in_check(word);
    ASSERT_TRUE(check) << word;
    EXPECT_EQ(check->name, word);
    EXPECT_FALSE(check->changes_possible);
  }
  EXPECT_FALSE(built_in_check("jq ."));
}

}  // namespace
}  // namespace holdfast::file
