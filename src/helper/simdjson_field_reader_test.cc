// SPDX-License-Identifier: Apache-2.0
#include "helper/simdjson_field_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "journal/field_reader_contract.h"

namespace holdfast::journal {

INSTANTIATE_TEST_SUITE_P(Simdjson, FieldReaderContract,
                         ::testing::Values(helper::make_simdjson_field_reader));

}  // namespace holdfast::journal

namespace holdfast::helper {
namespace {

using Path = std::vector<std::string>;

const std::vector<Path>& paths() {
  static const std::vector<Path> kPaths{{},    {"a"}, {"b"},      {"a", "b"},     {"l", "1"},
                                        {"l"}, {"z"}, {"a", "0"}, {"b", "c", "1"}};
  return kPaths;
}

class SameAnswers : public ::testing::Test {
 protected:
  void expect_same(std::string_view data) {
    for (const Path& path : paths()) {
      const auto ours = fast_->read(data, path);
      const auto core = core_->read(data, path);
      ASSERT_EQ(ours.has_value(), core.has_value()) << data << ::testing::PrintToString(path);
      if (core) {
        EXPECT_EQ(*ours, *core) << data;
      } else {
        EXPECT_EQ(ours.error(), core.error()) << data;
      }
    }
  }

  std::unique_ptr<journal::FieldReader> fast_ = make_simdjson_field_reader();
  std::unique_ptr<journal::FieldReader> core_ = journal::make_json_field_reader();
};

constexpr std::array<std::string_view, 14> kTexts{
    R"({"x":[1,-2.5,1e3,true,false,null,""],"a":{"b":"deep","0":7},"l":["p",{"q":[]}],"b":"end"})",
    R"( { "a" : [ 1 , 2 ] , "b" : { "c" : [ 0 , "k" ] } } )",
    R"({"a":"\"\\\/\b\f\n\r\t","b":"\u00e9\ud83d\ude00","\u0061":1})",
    R"({"a":"\ud800","b":1})",
    R"({"a":"\x","b":1})",
    R"({"a":01,"b":1})",
    R"({"a":-,"b":-0,"l":[.5,1]})",
    R"({"a":1e999,"b":1})",
    R"({"a":1.,"b":+1})",
    R"({"a":nul,"b":truex})",
    R"({"a":1 2,"b":"x" "y"})",
    R"({"a":1,,"b":2})",
    R"([{"a":1},[2,[3]]])",
    R"("only a string")"};

TEST_F(SameAnswers, OfTextsCutAtEveryByte) {
  for (const std::string_view text : kTexts) {
    for (std::size_t size = 0; size <= text.size(); ++size) expect_same(text.substr(0, size));
  }
}

TEST_F(SameAnswers, OfTextsWithEveryByteChanged) {
  for (const std::string_view text : kTexts) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char other :
           {'"', '\\', ',', ':', '{', '}', '[', ']', '0', 'e', ' ', '\n', '\0', '\xff'}) {
        std::string changed(text);
        changed[at] = other;
        expect_same(changed);
      }
    }
  }
}

TEST_F(SameAnswers, OfDataThatIsTooDeepOrTooLongForTheFastOne) {
  expect_same(R"({"d":)" + std::string(100, '[') + std::string(100, ']') + R"(,"a":1})");
  expect_same(R"({"d":")" + std::string((1 << 20) + 1, 'x') + R"(","a":1})");
  expect_same(R"({"a":)" + std::string(400, '9') + "}");
}

}  // namespace
}  // namespace holdfast::helper
