// SPDX-License-Identifier: Apache-2.0
//
// For tests of records that are JSON: the golden bytes of one, one with a field changed, one cut
// short.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.h"
#include "format/json/json.h"

namespace holdfast {

inline std::string golden(const std::string& name) {
  std::ifstream file(std::string(HF_FORMAT_GOLDEN) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// The record with the field at `path` (a JSON pointer) changed or, without a value, removed.
inline std::string changed(const std::string& record, const std::string& path,
                           const std::optional<Json>& value) {
  auto json = nlohmann::ordered_json::parse(record);
  json.erase("crc32c");  // else nothing but the checksum would be tested
  const nlohmann::ordered_json::json_pointer pointer(path);
  if (value) {
    json[pointer] = nlohmann::ordered_json::parse(value->dump());
  } else {
    json[pointer.parent_pointer()].erase(pointer.back());
  }
  return json.dump();
}

// `code_of` decodes it. The last byte is the newline, which a reader does without.
template <typename CodeOf>
void expect_corrupt_wherever_it_is_cut(const std::string& record, const CodeOf& code_of) {
  for (std::size_t length = 0; length + 1 < record.size(); ++length) {
    ASSERT_EQ(code_of(record.substr(0, length)), ErrorCode::kCorrupt) << length;
  }
}

}  // namespace holdfast
