// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_bytes.h"

#include <gtest/gtest.h>

#include "format/json/json.h"

namespace holdfast {
namespace {

TEST(JsonBytes, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  for (std::string bytes : {std::string(), std::string("plain"), std::string("grün"), all,
                            std::string("\xff"), std::string("a\xc3")}) {
    const std::string text = bytes_to_json(bytes).dump();
    EXPECT_EQ(bytes_from_json(parse_json(text)), bytes);
  }
}

TEST(JsonBytes, ThereIsOneSpellingOfEach) {
  for (const char* text : {R"({"hex":"61"})", R"({"hex":"F"})", R"({"hex":"FF"})", R"({"hex":""})",
                           R"({"hex":1})", "{}", "1", "null", "[]"}) {
    EXPECT_EQ(bytes_from_json(parse_json(text)), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace holdfast
