// SPDX-License-Identifier: Apache-2.0
#include "journal/read/count.h"

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
  for (const char* bad : {"", "month", "data", "seq"}) {
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

}  // namespace
}  // namespace holdfast::journal
