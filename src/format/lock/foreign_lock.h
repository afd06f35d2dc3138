// SPDX-License-Identifier: Apache-2.0
//
// What other tools write into their lock files, recognised so that it is respected.
//
//   a bare process number:     "1234\n", " 1234", "1234\nhostname\n" (pid files, dotlockfile)
//   a JSON object with a pid:  {"pid":1234,"hostname":"box","startTime":…,"acquired":"…"}
//
// Pure: says what is written there; whether that process lives is judged by src/lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace holdfast {

struct ForeignLock {
  enum class Kind : std::uint8_t {
    kNone,          // empty, or only white space
    kNumber,        // a bare number
    kJson,          // an object with a usable pid
    kUnusable,      // says that it is a lock record, but not whose: an object with a pid that is no
                    // process number, one that is only half written, a number above every pid or 0
    kUnrecognised,  // something else, or too long: no statement about a holder
  };
  Kind kind = Kind::kNone;
  std::int32_t pid = 0;               // of kNumber and kJson; above 0
  std::optional<std::string> host{};  // `host`, `hostname`, or the second line
  std::optional<WallTime> since{};  // `started`, `acquired`, `created_at`, `timestamp`, …: RFC 3339
                                    // or seconds or milliseconds since 1970
  bool operator==(const ForeignLock&) const = default;
};

inline constexpr std::size_t kMaxForeignLock = 16384;  // longer files are kUnrecognised

ForeignLock read_foreign_lock(std::string_view bytes);

}  // namespace holdfast
