// SPDX-License-Identifier: Apache-2.0
//
// RecordWriter: the fields of a persisted JSON record, one by one (record_reader.h reads them).
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/session/process_identity.h"
#include "format/text/rfc3339.h"

namespace holdfast {

// Only what is there is written.
class RecordWriter {
 public:
  explicit RecordWriter(Json& object) : object_(object) {}

  void text(const char* key, const std::optional<std::string>& value) {
    if (value) object_[key] = bytes_to_json(*value);
  }
  void time(const char* key, const std::optional<WallTime>& value) {
    if (value) object_[key] = format_rfc3339(*value);
  }
  void duration(const char* key, const std::optional<Duration>& value) {
    if (value) object_[key] = milliseconds(*value);
  }
  template <typename T>
  void plain(const char* key, const std::optional<T>& value) {
    if (value) object_[key] = *value;
  }
  void list(const char* key, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    Json& list = object_[key] = Json::array();
    for (const std::string& text : texts) list.push_back(bytes_to_json(text));
  }
  void word(const char* key, const std::string& value) {
    if (!value.empty()) object_[key] = bytes_to_json(value);
  }

  void identity(const char* key, const std::optional<ProcessIdentity>& value) {
    if (value) object_[key] = identity_to_object({.process = *value, .run = {}});
  }
  // Up, so that a limit of half a millisecond does not become none.
  static std::int64_t milliseconds(Duration duration) {
    // The longest duration has no whole millisecond above it that could be read again.
    using std::chrono::milliseconds;
    return std::min(std::chrono::ceil<std::chrono::milliseconds>(
                        std::min(duration, Duration::max() - milliseconds(1))),
                    std::chrono::floor<std::chrono::milliseconds>(Duration::max()))
        .count();
  }

 private:
  Json& object_;
};

// A record with a checksum of itself: the last member of its object is `"crc32c":"e3069283"`, of
// all that stands before it. Without one a flipped bit in the name of a key would make a field
// absent, and a step that was done would be one that never was.
//
// Limits: a record without the member is taken as it is, because those of version 0.1 have none;
// whoever edits one by hand takes the member out. It finds accidents, not forgers.

// With its newline. `record` is an object with at least one member.
std::string dump_sealed(const Json& record);

// `record` is what `bytes` hold. Corrupt if the checksum is there and is not theirs.
Result<> check_seal(std::string_view bytes, const Json& record, const RecordFault& fault);

}  // namespace holdfast
