// SPDX-License-Identifier: Apache-2.0
//
// OutsideEntry: that a directory outside of the home belongs to a session, as one file of
// `sessions/.holdfast-outside/` says it (session/workspace/outside.h says why the session's record does not).
//
// One JSON object with `v` and `kind`. A newer version is kCannotTell; anything else that is no
// such entry is kCorrupt `bad-outside-entry`, and never taken for "no entry".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"

namespace holdfast {

struct OutsideEntryRecord {
  static constexpr std::int64_t kVersion = 1;

  Id128 id{};
  std::string name{};
  std::string directory{};
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t birth_ns = 0;

  bool operator==(const OutsideEntryRecord&) const = default;
};

inline constexpr std::size_t kMaxOutsideEntryBytes = std::size_t{64} * 1024;

std::string encode_outside_entry(const OutsideEntryRecord& entry);
// `subject` names the file in errors.
Result<OutsideEntryRecord> decode_outside_entry(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
