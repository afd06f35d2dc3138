// SPDX-License-Identifier: Apache-2.0
//
// RecordReader: the fields of a persisted JSON record, one by one (record_writer.h writes them).
//
// Reading is strict on purpose: a record decides whether a name is free and what may be removed or
// run again. A field of the wrong type or out of range is damage, not a field that was left out:
// `find_…` is nothing where the key is missing, the others need it. The first fault is kept in
// RecordFault, and what is read after it does not count.
//
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/json/json.h"
#include "format/session/process_identity.h"
#include "format/text/rfc3339.h"

namespace holdfast {

struct RecordFault {
  std::string_view op;     // "read the session's record"
  std::string_view cause;  // of the error: "bad-session-record"
  std::string_view subject;
  std::optional<Error> error{};

  [[nodiscard]] std::unexpected<Error> corrupt(std::string_view why) const {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = std::string(op),
                 .subject = std::string(subject),
                 .cause = std::string(cause),
                 .detail = std::string(why) + "; it was left as it is"});
  }
  void wrong(std::string_view key) {
    if (error) return;
    error = corrupt("its field `" + std::string(key) + "` is not as it should be").error();
  }
};

// Takes the fields of one object.
class RecordReader {
 public:
  static constexpr std::uint64_t kMostMilliseconds =
      std::numeric_limits<std::int64_t>::max() / std::int64_t{1'000'000};
  static constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

  RecordReader(const Json& object, RecordFault& fault) : object_(object), fault_(fault) {}

  std::optional<std::string> find_text(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    return bytes(key, *field);
  }
  std::string text(const char* key) { return need(key, find_text(key)); }
  std::string word(const char* key) { return find_text(key).value_or(std::string()); }

  Id128 id(const char* key) { return need(key, parse_id128(text(key))); }

  std::vector<std::string> list(const char* key) {
    std::vector<std::string> texts;
    const Json* field = find(key);
    if (field == nullptr) return texts;
    if (!field->is_array()) wrong(key);
    if (field->is_array()) {
      for (const Json& element : *field) texts.push_back(bytes(key, element));
    }
    return texts;
  }

  std::optional<std::uint64_t> find_count(const char* key, std::uint64_t least = 0,
                                          std::uint64_t most = kLargest) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    const auto number = json_count(object_, key);
    if (number && *number >= least && *number <= most) return number;
    wrong(key);
    return std::nullopt;
  }
  std::uint64_t count(const char* key, std::uint64_t least = 0, std::uint64_t most = kLargest) {
    return need(key, find_count(key, least, most));
  }
  std::optional<int> find_int(const char* key, std::uint64_t least, std::uint64_t most) {
    const auto number = find_count(key, least, most);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
  }
  std::optional<std::int64_t> find_signed(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    if (const auto number = field->integer()) return number;
    wrong(key);
    return std::nullopt;
  }

  std::optional<bool> find_flag(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    if (!field->is_boolean()) wrong(key);
    return json_flag(object_, key);
  }
  bool flag(const char* key) { return need(key, find_flag(key)); }

  std::optional<WallTime> find_time(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    const std::string* spelled = json_text(object_, key);
    const auto time = spelled != nullptr ? parse_rfc3339(*spelled) : std::nullopt;
    if (!time) wrong(key);
    return time;
  }
  WallTime time(const char* key) { return need(key, find_time(key)); }

  std::optional<Duration> find_duration(const char* key) {
    const auto ms = find_count(key, 0, kMostMilliseconds);
    if (!ms) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*ms));
  }
  Duration duration(const char* key) { return need(key, find_duration(key)); }

  std::optional<ProcessIdentity> find_identity(const char* key) {
    const Json* field = find(key);
    if (field == nullptr) return std::nullopt;
    if (!field->is_object()) {
      wrong(key);
      return std::nullopt;
    }
    const auto identity = identity_from_object(*field, fault_.subject);
    if (identity) return identity->process;
    const bool newer = identity.error().code == ErrorCode::kCannotTell;
    if (newer && !fault_.error) fault_.error = identity.error();
    wrong(key);
    return std::nullopt;
  }
  ProcessIdentity identity(const char* key) { return need(key, find_identity(key)); }

  const Json* find_object(const char* key) {
    const Json* field = find(key);
    if (field != nullptr && !field->is_object()) wrong(key);
    return field != nullptr && field->is_object() ? field : nullptr;
  }

  // The fields of the object at `key`, which must be there. nullopt: there is none, and that is a
  // fault.
  std::optional<RecordReader> need_object(const char* key) {
    const Json* object = find_object(key);
    if (object != nullptr) return RecordReader(*object, fault_);
    wrong(key);
    return std::nullopt;
  }

  void wrong(std::string_view key) { fault_.wrong(key); }

 private:
  const Json* find(const char* key) const {
    const Json* field = object_.find(key);
    return field != nullptr ? &*field : nullptr;
  }
  template <typename T>
  T need(const char* key, std::optional<T> value) {
    if (!value) wrong(key);
    return value ? *std::move(value) : T{};
  }
  // A NUL would silently cut an argument or a path to another one.
  std::string bytes(const char* key, const Json& value) {
    auto bytes = bytes_from_json(value);
    if (bytes && bytes->find('\0') == std::string::npos) return *std::move(bytes);
    wrong(key);
    return {};
  }

  const Json& object_;
  RecordFault& fault_;
};

}  // namespace holdfast
