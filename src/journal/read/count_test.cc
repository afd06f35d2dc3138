// SPDX-License-Identifier: Apache-2.0
#include "journal/read/count.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "journal/read/filter.h"
#include "journal/read/query.h"
#include "journal/read/reader_fixture.h"
#include "journal/store/blob_store.h"

namespace holdfast::journal {
namespace {

class CountTest : public ReaderTest {
 protected:
  CountResult counted(const CountRequest& request) {
    auto result = count(snapshot(), request);
    EXPECT_TRUE(result) << to_sentence(result.error());
    return result ? *std::move(result) : CountResult{};
  }
  // "key|key=count …"
  std::string by(std::vector<std::string> groups, Filter filter = {}) {
    std::string text;
    CountRequest request{.filter = std::move(filter), .by = std::move(groups), .use_index = false};
    for (const auto& group : counted(request).groups) {
      std::string key;
      for (const std::string& part : group.key) key += (key.empty() ? "" : "|") + part;
      text += (text.empty() ? "" : " ") + key + "=" + std::to_string(group.count);
    }
    return text;
  }
};

TEST_F(CountTest, GroupsAreSortedByCountThenKey) {
  journal_.append("x.b").append("x.a").append(3, "x.c").next_segment().append("x.c");
  EXPECT_EQ(by({"type"}), "x.c=4 journal.opened=2 journal.sealed=1 x.a=1 x.b=1");
  EXPECT_EQ(counted({.use_index = false}).count, 9U);
  EXPECT_TRUE(counted({}).groups.empty());
}

TEST_F(CountTest, DaysAndHoursAreOfTheWallTimeInUtc) {
  journal_.at(1'709'251'199'999'999).append("x.a");  // 2024-02-29T23:59:59.999999Z
  journal_.at(1'709'251'200'000'000).append("x.a");  // 2024-03-01
  journal_.at(-1).append("x.a");                     // 1969-12-31T23
  const Filter only{.types = {"x.*"}};
  EXPECT_EQ(by({"day"}, only), "1969-12-31=1 2024-02-29=1 2024-03-01=1");
  EXPECT_EQ(by({"hour"}, only), "1969-12-31T23=1 2024-02-29T23=1 2024-03-01T00=1");
}

TEST_F(CountTest, SeveralGroupsMakeOneKeyAndAMissingFieldHasAName) {
  journal_.append("x.a", R"({"lock":"one","n":1})").append("x.b", R"({"lock":"one"})");
  journal_.append("x.a", R"({"lock":"one"})").append("x.a");
  const Filter only{.types = {"x.*"}};
  EXPECT_EQ(by({"type", "data.lock"}, only), "x.a|one=2 x.a|(none)=1 x.b|one=1");
  EXPECT_EQ(by({"data.n", "class"}, only), "(none)|event=3 1|event=1");
}

TEST_F(CountTest, ConditionsHoldTogether) {
  journal_.by("1.1").append("x.a", R"({"lock":"one","deep":{"k":[5,true]}})");
  journal_.by("2.2").append("x.a", R"({"lock":"two"})").of_class(EventClass::kDecision);
  journal_.append("x.b", R"({"lock":"one"})");
  const auto count_of = [&](std::vector<const char*> conditions) {
    CountRequest request{.filter = {.types = {"x.*"}}};
    for (const char* text : conditions) request.filter.where.push_back(*parse_where(text));
    return counted(request).count;
  };
  EXPECT_EQ(count_of({"data.lock=one"}), 2U);
  EXPECT_EQ(count_of({"data.lock=one", "type=x.a"}), 1U);
  EXPECT_EQ(count_of({"data.deep.k.1=true"}), 1U);
  EXPECT_EQ(count_of({"data.none!=x"}), 3U);
  EXPECT_EQ(count_of({"class=decision"}), 1U);
  EXPECT_EQ(count_of({"seq=3"}), 1U);
  EXPECT_EQ(count_of({"writer!=1.1", "boot=0f3c9a12"}), 2U);
}

TEST_F(CountTest, UnknownGroupsAreUsage) {
  for (const char* bad : {"", "month.", "data", "seq"}) {
    const auto result = count(snapshot(), {.by = {bad}});
    ASSERT_FALSE(result) << bad;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(check_group(bad));
  }
  EXPECT_TRUE(check_group("data.lock"));
}

TEST_F(CountTest, TooManyGroupsAreRefusedAndNotForgotten) {
  for (int i = 0; i < 100'001; ++i) {
    journal_.append("x.a", "{\"i\":" + std::to_string(i) + "}");
  }
  const auto result = count(snapshot(), {.by = {"data.i"}, .use_index = false});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().cause, "too-many-groups");
}

TEST_F(CountTest, DataInABlobIsLookedUpAndAChangedBlobIsDamage) {
  const std::string data = R"({"lock":"big"})";
  const auto blob = put_blob(temp_.dir(), 1, data, os::Durability::kNone);
  ASSERT_TRUE(blob);
  journal_.append("x.a", blob_data(*blob, data.size())).append("x.a", R"({"lock":"small"})");
  const CountRequest request{.filter = {.types = {"x.a"}}, .by = {"data.lock"}};
  CountResult result = counted(request);
  EXPECT_EQ(result.count, 2U);
  EXPECT_EQ(result.groups[0].key, std::vector<std::string>{"big"});
  EXPECT_TRUE(result.damaged.empty());

  const auto blobs = temp_.dir().open_dir(*os::SafeName::make("blobs"));
  std::string name;
  ASSERT_TRUE(blobs->each_entry([&](std::string_view entry, os::FileType) {
    name = entry;
    return os::Visit::kStop;
  }));
  put_file(*blobs, name, R"({"lock":"bad"})");
  result = counted(request);
  EXPECT_EQ(result.count, 1U);
  EXPECT_EQ(kinds(result.damaged), Kinds{"blob"});
  EXPECT_EQ(result.damaged[0].offset, journal_.line(0, 1));
  EXPECT_EQ(counted({.by = {"type"}}).damaged.size(), 0U) << "nobody looked into it";
}

TEST_F(CountTest, QueryFiltersLimitsAndFetchesBlobs) {
  const std::string data = R"({"lock":"big"})";
  const auto blob = put_blob(temp_.dir(), 1, data, os::Durability::kNone);
  journal_.append("x.a", blob_data(*blob, data.size())).append("x.b").append("x.a");
  std::vector<std::string> seen;
  const auto visit = [&](const QueriedRecord& record) -> Result<os::Visit> {
    seen.emplace_back(record.data);
    return os::Visit::kContinue;
  };
  QueryRequest request{.filter = {.types = {"x.a"}}};
  EXPECT_EQ(query(snapshot(), request, visit)->visited, 2U);
  EXPECT_EQ(seen, (std::vector<std::string>{data, "{}"}));
  seen.clear();
  request.reverse = true;
  request.limit = 1;
  EXPECT_TRUE(query(snapshot(), request, visit)->stopped);
  EXPECT_EQ(seen, std::vector<std::string>{"{}"});
}

TEST(Filter, GlobsMatchAsShellsDo) {
  EXPECT_TRUE(glob_match("lock.*", "lock.fail_open"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*.fail_*n", "lock.fail_open"));
  EXPECT_TRUE(glob_match("l?ck.busy", "lock.busy"));
  EXPECT_TRUE(glob_match("a*b*c", "axxbyybzzc"));
  EXPECT_FALSE(glob_match("lock", "lock.busy"));
  EXPECT_FALSE(glob_match("lock.*", "block.changed"));
  EXPECT_FALSE(glob_match("?", ""));
  EXPECT_FALSE(glob_match("a*b", "axc"));
}

TEST(Filter, ALongGlobEndsSoon) {
  EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(Filter, PathsAreRead) {
  using Root = FieldPath::Root;
  const std::vector<std::pair<const char*, FieldPath>> paths{
      {"type", {Root::kType, {}}},
      {"class", {Root::kClass, {}}},
      {"writer", {Root::kWriter, {}}},
      {"boot", {Root::kBoot, {}}},
      {"seq", {Root::kSeq, {}}},
      {"data.lock", {Root::kData, {"lock"}}},
      {"lock", {Root::kData, {"lock"}}},
      {"holder.pid", {Root::kData, {"holder", "pid"}}},
      {"data.type", {Root::kData, {"type"}}},
      {"data.a.0.b", {Root::kData, {"a", "0", "b"}}}};
  for (const auto& [text, meant] : paths) {
    const auto path = parse_field_path(text);
    ASSERT_TRUE(path) << text;
    EXPECT_TRUE(*path == meant) << text;
  }
  for (const char* text : {"", "data", "data.", "data..a", "data.a.", "a.", "a..b", ".type"}) {
    const auto path = parse_field_path(text);
    ASSERT_FALSE(path) << text;
    EXPECT_EQ(path.error().code, ErrorCode::kUsage);
  }
}

TEST(Filter, ConditionsAreCutAtTheFirstEqualSign) {
  const auto where = parse_where("data.url=a=b!=c");
  ASSERT_TRUE(where);
  EXPECT_EQ(where->value, "a=b!=c");
  EXPECT_EQ(where->test, Where::Test::kEqual);
  const auto negated = parse_where("class!=trace");
  ASSERT_TRUE(negated);
  EXPECT_EQ(negated->test, Where::Test::kNotEqual);
  EXPECT_EQ(negated->path.root, FieldPath::Root::kClass);
  EXPECT_EQ(parse_where("data.x=")->value, "");
  for (const char* text : {"", "data.x", "=v", "!=v", "x.=1"}) {
    ASSERT_FALSE(parse_where(text)) << text;
    EXPECT_EQ(parse_where(text).error().code, ErrorCode::kUsage);
  }
}

// The text, "(none)" for nothing, "(error)" for an error.
std::string text_of(std::string_view data, const std::vector<std::string>& path) {
  const auto value = read_field(data, path);
  if (!value) return value.error().cause == "bad-data" ? "(error)" : "(another error)";
  return value->value_or("(none)");
}

TEST(ReadField, ScalarsAreTheirTexts) {
  constexpr std::string_view kData =
      R"({"s":"a\"\u00e9\n","i":-12,"u":18446744073709551615,"f":1.50,"e":1e3,"z":-0,"t":true,"n":null,"":"empty"})";
  EXPECT_EQ(text_of(kData, {"s"}), "a\"\u00e9\n");
  EXPECT_EQ(text_of(kData, {"i"}), "-12");
  EXPECT_EQ(text_of(kData, {"u"}), "18446744073709551615");
  EXPECT_EQ(text_of(kData, {"f"}), "1.50");
  EXPECT_EQ(text_of(kData, {"e"}), "1e3");
  EXPECT_EQ(text_of(kData, {"z"}), "-0");
  EXPECT_EQ(text_of(kData, {"t"}), "true");
  EXPECT_EQ(text_of(kData, {"n"}), "null");
  EXPECT_EQ(text_of(kData, {""}), "empty");
}

TEST(ReadField, PathsGoDownObjectsAndArrays) {
  constexpr std::string_view kData =
      R"({"x":{"b":0},"a":{"x":[9],"b":{"c":"deep"}},"l":[[1,2],{"k":3},"last"],"b":1})";
  EXPECT_EQ(text_of(kData, {"a", "b", "c"}), "deep");
  EXPECT_EQ(text_of(kData, {"l", "0", "1"}), "2");
  EXPECT_EQ(text_of(kData, {"l", "1", "k"}), "3");
  EXPECT_EQ(text_of(kData, {"l", "2"}), "last");
  EXPECT_EQ(text_of(kData, {"b"}), "1");
}

TEST(ReadField, WhatIsNotThereIsNothing) {
  constexpr std::string_view kData = R"({"a":{"b":1},"l":[1,2],"s":"text"})";
  for (const std::vector<std::string>& path : std::vector<std::vector<std::string>>{{"x"},
                                                                                    {"b"},
                                                                                    {"a", "c"},
                                                                                    {"a", "b", "c"},
                                                                                    {"l", "2"},
                                                                                    {"l", "-1"},
                                                                                    {"l", "01"},
                                                                                    {"l", "k"},
                                                                                    {"s", "0"},
                                                                                    {"a", "0"}}) {
    EXPECT_EQ(text_of(kData, path), "(none)") << path.back();
  }
  EXPECT_EQ(text_of("{}", {"a"}), "(none)");
}

TEST(ReadField, ObjectsAndArraysAreCompactJson) {
  constexpr std::string_view kData =
      R"({"o":{"a":[1,{"b":"x"},[]],"c":null,"d":{}},"l":["q",true]})";
  EXPECT_EQ(text_of(kData, {"o"}), R"({"a":[1,{"b":"x"},[]],"c":null,"d":{}})");
  EXPECT_EQ(text_of(kData, {"l"}), R"(["q",true])");
  EXPECT_EQ(text_of(kData, {}), kData);
}

TEST(ReadField, OfTwoEqualKeysTheFirstCounts) {
  EXPECT_EQ(text_of(R"({"a":1,"a":2})", {"a"}), "1");
  EXPECT_EQ(text_of(R"({"a":1,"a":{"b":2}})", {"a", "b"}), "(none)");
}

TEST(ReadField, BrokenDataIsAnErrorBeforeTheFieldAndHasNoMemory) {
  EXPECT_EQ(text_of(R"({"x":tru,"a":1})", {"a"}), "(error)");
  EXPECT_EQ(text_of(R"({"x":1)", {"a"}), "(error)");
  EXPECT_EQ(text_of("", {"a"}), "(error)");
  EXPECT_EQ(text_of("{\"x\":\"\xff\"}", {"a"}), "(error)");
  EXPECT_EQ(text_of(R"({"a":1})", {"a"}), "1");
}

TEST(ReadField, DepthIsNoDanger) {
  const std::string deep(20'000, '[');
  const std::string shut(20'000, ']');
  EXPECT_EQ(text_of(R"({"d":)" + deep + shut + R"(,"a":1})", {"b"}).substr(0, 1), "(");
}

}  // namespace
}  // namespace holdfast::journal
