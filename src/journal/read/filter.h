// SPDX-License-Identifier: Apache-2.0
//
// Filter: which records a question is about. Everything given must hold; of several types one.
//
// Times are wall times of the records, `since` included, `until` not. Wall clocks step, so records
// inside the range need not stand together; order is always by seq.
//
// A path is `type`, `class`, `writer`, `boot`, `seq`, or keys of the data with dots between them:
// `lock`, `holder.pid`, `argv.0` (an array's element). `data.` in front says that it is one of the
// data, also where it is called like one of the five. A key that contains a dot cannot be reached. Values compare as texts (see read_field): `data.waited_ms=1500` and
// `data.name=1500` both work; `1500.0` is another text. `PATH!=VALUE` also holds where there is no such field;
// `PATH=VALUE` does not.
//
// Errors of the parsers: kUsage, causes `bad-where` and `bad-path`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/event.h"
#include "base/result.h"

namespace holdfast::journal {

struct FieldPath {
  enum class Root : std::uint8_t { kType, kClass, kWriter, kBoot, kSeq, kData };

  Root root = Root::kData;
  std::vector<std::string> keys{};  // below `data`

  bool operator==(const FieldPath&) const = default;
};
Result<FieldPath> parse_field_path(std::string_view text);

struct Where {
  enum class Test : std::uint8_t { kEqual, kNotEqual };

  FieldPath path{};
  Test test = Test::kEqual;
  std::string value{};

  bool operator==(const Where&) const = default;
};
// `PATH=VALUE` or `PATH!=VALUE`; the first `=` decides, so a value may contain more of them.
Result<Where> parse_where(std::string_view text);

struct Filter {
  std::vector<std::string> types{};  // globs: * any text, ? one character; none given: every type
  std::optional<std::int64_t> since_us{};
  std::optional<std::int64_t> until_us{};
  std::vector<Where> where{};
  std::optional<EventClass> event_class{};
  std::optional<std::string> writer{};
};

bool glob_match(std::string_view glob, std::string_view text);
// Whether a record of this type can pass.
bool type_passes(const Filter& filter, std::string_view type);
bool time_passes(const Filter& filter, std::int64_t wall_us);

// read_field: one field out of the data of a record.
//
// The answer is a text: the content of a string, the literal of a number as it stands, `true`,
// `false`, `null`; an object or an array as compact JSON. Nothing, where the path leads nowhere. A
// path component is a key of an object, or the number (from 0) of an array's element; of two equal
// keys the first counts. An empty path is the whole data.
//
// Only what is needed is read: data that is broken behind the field may not be noticed. Broken
// before it: kCorrupt, cause `bad-data`.
Result<std::optional<std::string>> read_field(std::string_view data_json,
                                              std::span<const std::string> path);

}  // namespace holdfast::journal
