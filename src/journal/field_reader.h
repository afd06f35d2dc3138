// SPDX-License-Identifier: Apache-2.0
//
// FieldReader: one field out of the data of a record.
//
// The answer is a text: the content of a string, the literal of a number as it stands, `true`,
// `false`, `null`; an object or an array as compact JSON. Nothing, where the path leads nowhere. A
// path component is a key of an object, or the number (from 0) of an array's element; of two equal
// keys the first counts. An empty path is the whole data.
//
// Only what is needed is read: data that is broken behind the field may not be noticed. Broken
// before it: kCorrupt, cause `bad-data`.
//
// Two implementations keep this contract (journal/field_reader_contract.h): this one, and
// simdjson's in a helper program. One object is for one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::journal {

class FieldReader {
 public:
  virtual ~FieldReader() = default;
  virtual Result<std::optional<std::string>> read(std::string_view data_json,
                                                  std::span<const std::string> path) = 0;
};

std::unique_ptr<FieldReader> make_json_field_reader();

}  // namespace holdfast::journal
