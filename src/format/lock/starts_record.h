// SPDX-License-Identifier: Apache-2.0
//
// StartsRecord: when the next start of each name may be, for `--stagger`, as `HOME/locks/.starts` keeps
// it. Names whose time has come are not in it.
//
// One JSON object with `v`, `kind` and a checksum; keys that are not known are ignored on reading. A
// newer version is kCannotTell (format_version.h); anything else that is not such a record is
// kCorrupt, cause `bad-starts-record`, and is never taken for "nobody waits". At most
// kMaxStartsBytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/json/due_time.h"

namespace holdfast {

struct NextStart {
  std::string name{};
  DueTime next{};

  bool operator==(const NextStart&) const = default;
};

struct StartsRecord {
  static constexpr std::int64_t kVersion = 1;

  std::vector<NextStart> names{};

  bool operator==(const StartsRecord&) const = default;
};

inline constexpr std::size_t kMaxStartsBytes = std::size_t{4} << 20U;

std::string encode_starts_record(const StartsRecord& record);
// `subject` names the file in errors.
Result<StartsRecord> decode_starts_record(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
