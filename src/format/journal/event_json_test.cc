// SPDX-License-Identifier: Apache-2.0
#include "format/journal/event_json.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace holdfast {
namespace {

std::string json_of(std::string_view text) {
  const auto data = parse_event_data(text);
  return data ? data->json() : data.error().cause;
}

Error event_json_error_of(std::string_view text) {
  const auto data = parse_event_data(text);
  return data ? Error{} : data.error();
}

std::string event_json_nested(std::size_t depth) {
  std::string text = "{\"a\":";
  text += std::string(depth - 1, '[') + std::string(depth - 1, ']');
  return text + "}";
}

TEST(EventJson, IsWrittenCompactlyInItsOrder) {
  EXPECT_EQ(
      json_of(
          " {\n\t\"b\" : [ 1 , { } , [ ] , \"x\" ] ,\r\n \"a\" : null , \"c\":{\"d\":true}} \n"),
      R"({"b":[1,{},[],"x"],"a":null,"c":{"d":true}})");
  EXPECT_EQ(json_of("{}"), "{}");
  EXPECT_EQ(json_of("{\"\":[[],[1,2],{\"x\":[{}]}]}"), "{\"\":[[],[1,2],{\"x\":[{}]}]}");
}

TEST(EventJson, NumbersKeepTheirDigits) {
  for (const char* number :
       {"0", "-1", "18446744073709551615", "-9223372036854775808", "18446744073709551616",
        "-9223372036854775809", "123456789012345678901234567890", "0.1", "1.0", "-0.0", "1e5",
        "1E+5", "1.50e-7", "3.141592653589793238462643383279"}) {
    const std::string text = std::string("{\"n\":") + number + "}";
    EXPECT_EQ(json_of(text), text);
  }
  EXPECT_EQ(json_of("{\"n\":-0}"), "{\"n\":0}");
  EXPECT_EQ(json_of("{\"n\":1e999}"), "not-json");
}

TEST(EventJson, TextsHaveOneSpelling) {
  EXPECT_EQ(json_of(R"({"\u0061":"\u00e4\/\u001F\ud83d\ude00"})"),
            "{\"a\":\"ä/\\u001f\xf0\x9f\x98\x80\"}");
  EXPECT_EQ(json_of(R"({"a":"\u0000"})"), R"({"a":"\u0000"})");
}

TEST(EventJson, TheTopLevelIsKnownWithItsKinds) {
  const auto data = parse_event_data(
      R"({"t":"x","n":1,"f":1.5,"b":false,"l":[{"in":1},"s"],"o":{"in":1},"z":null})");
  ASSERT_TRUE(data);
  const std::vector<EventData::Key> expected{{"t", DataKind::kText},   {"n", DataKind::kNumber},
                                             {"f", DataKind::kNumber}, {"b", DataKind::kFlag},
                                             {"l", DataKind::kList},   {"o", DataKind::kObject},
                                             {"z", DataKind::kNull}};
  EXPECT_TRUE(std::ranges::equal(data->keys(), expected));
}

TEST(EventJson, OnlyOneObjectIsTaken) {
  for (const char* text : {"[]", "7", "\"x\"", "null", "true", "1.5", "[{}]"}) {
    EXPECT_EQ(json_of(text), "not-an-object") << text;
  }
  for (const char* text :
       {"", " ", "{", "{}{}", "{} x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}",
        "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":NaN}", "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}", "/**/{}"}) {
    EXPECT_EQ(json_of(text), "not-json") << text;
  }
}

TEST(EventJson, BytesThatAreNotUtf8AreRefusedNotReplaced) {
  for (const char* text :
       {"{\"a\":\"\xff\"}", "{\"\xc3\":1}", "{\"a\":\"\xed\xa0\x80\"}", "\xff{}"}) {
    EXPECT_EQ(json_of(text), "not-json");
  }
  EXPECT_EQ(json_of("\xef\xbb\xbf{\"a\":1}"), "{\"a\":1}");
}

TEST(EventJson, ANulByteIsNotTheEnd) {
  EXPECT_EQ(json_of(std::string_view("{}\0", 3)), "not-json");
  EXPECT_EQ(json_of(std::string_view("{\"a\":1}\0{", 9)), "not-json");
}

TEST(EventJson, AKeyTwiceInOneObjectIsRefusedWithItsPlace) {
  const Error error = event_json_error_of(R"({"a":1,"b":{"a":2,"\u0061":3}})");
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.cause, "duplicate-key");
  EXPECT_NE(error.detail.find("'a'"), std::string::npos);
  EXPECT_NE(error.detail.find("at byte 26"), std::string::npos) << error.detail;
  EXPECT_EQ(json_of(R"({"a":[{"a":1},{"a":2}]})"), R"({"a":[{"a":1},{"a":2}]})");
}

TEST(EventJson, DepthAndSizeHaveTheirLimits) {
  EXPECT_EQ(json_of(event_json_nested(64)), event_json_nested(64));
  EXPECT_EQ(json_of(event_json_nested(65)), "too-deep");
  EXPECT_EQ(json_of("{\"a\":" + std::string(1'000'000, '[')), "too-deep");
  const std::string frame = R"({"a":""})";
  const auto padded = [&](std::size_t size) {
    return R"({"a":")" + std::string(size - frame.size(), 'x') + "\"}";
  };
  EXPECT_EQ(json_of(padded(kMaxEventDataBytes)).size(), kMaxEventDataBytes);
  EXPECT_EQ(json_of(padded(kMaxEventDataBytes + 1)), "too-large");
}

TEST(EventJson, CutAtEveryByteItIsNoObject) {
  const std::string_view text = R"({"a":[1,-2.5e3,{"b":"c\n"}],"d":{"e":true,"f":null}})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(json_of(text.substr(0, length)), "not-json") << length;
  }
}

TEST(EventJson, ErrorsSayWhere) {
  const Error error = event_json_error_of("{\"a\":1,\n\"b\" 2}");
  EXPECT_EQ(error.cause, "not-json");
  EXPECT_NE(error.detail.find("line 2"), std::string::npos) << error.detail;
}

}  // namespace
}  // namespace holdfast
