// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "format/loop/loop_source.h"

namespace holdfast {
namespace {

LoopFile array_loop() { return {.name = "fix", .id = "id"}; }

std::string array_ids(std::string_view bytes, const LoopFile& file = array_loop()) {
  const auto items = parse_source(bytes, file);
  if (!items) {
    EXPECT_EQ(items.error().code, ErrorCode::kCannotTell);
    EXPECT_EQ(items.error().cause, "bad-source");
    return "REFUSED";
  }
  std::string result;
  for (const SourceItem& item : items->items) result += (result.empty() ? "" : " ") + item.id;
  return result;
}

bool array_refused(std::string_view bytes) { return array_ids(bytes) == "REFUSED"; }

TEST(LoopSource, AnArrayOfObjectsIsAListToo) {
  LoopFile file = array_loop();
  file.id = "number";
  const auto items = parse_source(
      "[\n  {\"number\": 7,\n \"title\": \"a b\"},{\"number\":12.0e1,\"x\":1},\n{\"number\":8}\n]",
      file);
  ASSERT_FALSE(items) << "an id is a text or a whole number";
  EXPECT_NE(items.error().detail.find("element 2 "), std::string::npos) << items.error().detail;
  const auto good =
      parse_source(" [{\"number\": 7,\n \"title\": \"a b\"},\n{\"number\":8}]\n", file);
  ASSERT_TRUE(good);
  ASSERT_EQ(good->items.size(), 2U);
  EXPECT_EQ(good->items[0].json, R"({"number":7,"title":"a b"})");
  EXPECT_EQ(good->items[1].id, "8");
  EXPECT_EQ(array_ids("[]"), "");
  EXPECT_EQ(array_ids("[ ]\n"), "");
  file.priority = "p";
  EXPECT_EQ(array_ids(R"([{"number":1,"p":1},{"number":2,"p":5}])", file), "2 1");
}

TEST(LoopSource, AnArrayThatIsCutOrNotWholeIsNoList) {
  const std::string whole = R"([{"id":"a"},{"id":"b"}])";
  for (std::size_t length = 1; length < whole.size(); ++length)
    EXPECT_TRUE(array_refused(whole.substr(0, length))) << length;
  for (const char* text : {R"([{"id":"a"}]x)", R"([{"id":"a"}][{"id":"b"}])", R"([1])", R"([[]])",
                           R"([{"id":"a"},{"id":"a"}])", R"([{"id":"a"},])", R"([{}])",
                           R"([{"id":"a","id":"b"}])", R"([{"id":""}])"}) {
    EXPECT_TRUE(array_refused(text)) << text;
  }
}

}  // namespace
}  // namespace holdfast
