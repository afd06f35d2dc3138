// SPDX-License-Identifier: Apache-2.0
//
// A new entry of a ledger: checked, and given its time.
//
// Every entry gets the time at which it was added, from our clock, as RFC 3339 in UTC with
// milliseconds; a caller who could set it could also set it wrong. It is put behind the other
// fields; nothing else changes. Who brings entries that have a time already (an import) says so
// (LedgerTimes::kKeep), and then it must be one that can be read (ledger_time.h).
//
// Errors: kCorrupt `not-json`, `not-an-object`, `duplicate-key`, `too-deep` (64), `entry-too-large`
// (1 MiB), `bad-time`; kUsage `time-given` where it brings a time without kKeep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast {

inline constexpr std::size_t kMaxLedgerEntryBytes = std::size_t{1024} * 1024;

enum class LedgerTimes : std::uint8_t { kOurs, kKeep };

// The one object that `json` is, without the blanks around it, otherwise byte for byte.
Result<std::string> checked_ledger_entry(std::string_view json);

// `entry` is a checked one; `field` is a key of it, not a path.
Result<std::string> stamped_ledger_entry(std::string_view entry, const std::string& field,
                                         WallTime now, LedgerTimes times);

}  // namespace holdfast
