// SPDX-License-Identifier: Apache-2.0
#include "base/event.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/printable.h"

namespace holdfast {
namespace {

TEST(EventClass, EachHasOneWordAndIsReadBack) {
  EXPECT_EQ(to_text(EventClass::kTrace), "trace");
  EXPECT_EQ(to_text(EventClass::kEvent), "event");
  EXPECT_EQ(to_text(EventClass::kDecision), "decision");
  for (const EventClass each : {EventClass::kTrace, EventClass::kEvent, EventClass::kDecision}) {
    EXPECT_EQ(parse_event_class(to_text(each)), each);
  }
}

TEST(EventClass, RisesFromTraceToDecision) {
  // at_least raises a class by comparing them.
  EXPECT_LT(EventClass::kTrace, EventClass::kEvent);
  EXPECT_LT(EventClass::kEvent, EventClass::kDecision);
}

TEST(EventClass, AnythingElseIsNoClass) {
  for (const char* text : {"", "Trace", "trace ", "events", "decisio", "0"}) {
    EXPECT_FALSE(parse_event_class(text)) << text;
  }
}

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

TEST(EventData, NothingIsAnEmptyObject) {
  EXPECT_EQ(EventData().json(), "{}");
  EXPECT_TRUE(EventData().keys().empty());
}

TEST(EventData, KeysComeInTheOrderTheyWereAdded) {
  const std::vector<std::string> words{"a", "b\"c"};
  const std::vector<EventData> rows{EventData().number("n", 1), EventData()};
  const EventData data = EventData()
                             .text("lock", "deploy")
                             .number("waited_ms", -1500)
                             .count("bytes", 42)
                             .flag("forced", true)
                             .flag("late", false)
                             .texts("argv", words)
                             .object("holder", EventData().number("pid", 7))
                             .objects("rows", rows)
                             .null("reason");
  EXPECT_EQ(data.json(),
            R"({"lock":"deploy","waited_ms":-1500,"bytes":42,"forced":true,"late":false,)"
            R"("argv":["a","b\"c"],"holder":{"pid":7},"rows":[{"n":1},{}],"reason":null})");
}

TEST(EventData, ItGrowsBeyondItsFirstRoom) {
  EventData data;
  std::string expected = "{";
  for (int i = 0; i < 50; ++i) {
    const std::string text(static_cast<std::size_t>(i), 'x');
    data.text("key", text);
    expected += (i == 0 ? "\"key\":\"" : ",\"key\":\"") + text + '"';
  }
  EXPECT_EQ(data.json(), expected + "}");
}

TEST(EventData, KeysAreKnownWithTheirKind) {
  const EventData data = EventData()
                             .text("t", "")
                             .number("n", 0)
                             .count("c", 0)
                             .flag("f", false)
                             .texts("l", {})
                             .object("o", {})
                             .objects("r", {})
                             .null("z");
  const std::vector<EventData::Key> expected{{"t", DataKind::kText},   {"n", DataKind::kNumber},
                                             {"c", DataKind::kNumber}, {"f", DataKind::kFlag},
                                             {"l", DataKind::kList},   {"o", DataKind::kObject},
                                             {"r", DataKind::kList},   {"z", DataKind::kNull}};
  EXPECT_TRUE(std::ranges::equal(data.keys(), expected));
  EXPECT_EQ(data.json(), R"({"t":"","n":0,"c":0,"f":false,"l":[],"o":{},"r":[],"z":null})");
}

TEST(EventData, NumbersReachTheEndsOfTheirTypes) {
  EXPECT_EQ(EventData().number("n", std::numeric_limits<std::int64_t>::min()).json(),
            R"({"n":-9223372036854775808})");
  EXPECT_EQ(EventData().count("n", std::numeric_limits<std::uint64_t>::max()).json(),
            R"({"n":18446744073709551615})");
}

TEST(EventData, TextIsEscapedOntoOneLine) {
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(quoted(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
  EXPECT_EQ(quoted("käse €\xf0\x9f\x8e\x89"), "\"käse €\xf0\x9f\x8e\x89\"");
}

TEST(EventData, EachBadByteBecomesAReplacementCharacter) {
  EXPECT_EQ(quoted("a\xff\xfe"), "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(quoted("\xc3"), "\"\xef\xbf\xbd\"");  // cut
  EXPECT_EQ(quoted("\xed\xa0\x80z"), quoted("\xff\xff\xff"
                                            "z"));
}

TEST(EventData, EveryTwoBytesGiveOneLineOfUtf8) {
  for (unsigned pair = 0; pair < 0x10000; ++pair) {
    const std::string text{static_cast<char>(pair >> 8), static_cast<char>(pair & 0xff)};
    const std::string out = EventData().text(text, text).json();
    ASSERT_TRUE(is_utf8(out)) << pair;
    for (const char c : out) ASSERT_TRUE(static_cast<std::uint8_t>(c) >= 0x20) << pair;
  }
}

TEST(EventData, ParsedTextCanBeAddedTo) {
  EventData data = EventData::from_json(R"({"a":1})", {{"a", DataKind::kNumber}});
  EXPECT_EQ(data.text("b", "x").json(), R"({"a":1,"b":"x"})");
  EXPECT_EQ(EventData::from_json("{}", {}).text("b", "x").json(), R"({"b":"x"})");
}

}  // namespace
}  // namespace holdfast
