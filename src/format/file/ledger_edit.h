// SPDX-License-Identifier: Apache-2.0
//
// Changing the text of a ledger: one entry more, within caps; or a damaged one made whole.
//
// Guarantee: every entry that stays is the same bytes as before, in the same order, and what stands
// between two of them stays, too. The new one is written as the others are: on one line or several,
// with their indentation, their blanks, their line ends. Before an answer is given it is read
// again: it is a whole ledger with the expected entries, or the answer is an Error.
//
// Caps count the new entry, which is the newest and always stays. Caps per field come first, each
// on what the one before it left: of the entries that have the field, the newest N for each of its
// values (two spellings of a number are two values); entries without the field are not counted and
// not dropped. Then the cap on all of them. "Newest" is the order of the file, never a clock's.
//
// Errors: kRefused `ledger-full` beyond kMaxLedgerBytes; kInternal, a fault of ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/file/ledger_text.h"

namespace holdfast {

// A new entry of a ledger: checked, and given its time.
//
// Every entry gets the time at which it was added, from our clock, as RFC 3339 in UTC with
// milliseconds; a caller who could set it could also set it wrong. It is put behind the other
// fields; nothing else changes. Who brings entries that have a time already (an import) says so
// (LedgerTimes::kKeep), and then it must be one that can be read (ledger_query.h).
//
// Errors: kCorrupt `not-json`, `not-an-object`, `duplicate-key`, `too-deep` (64), `entry-too-large`
// (1 MiB), `bad-time`; kUsage `time-given` where it brings a time without kKeep.
inline constexpr std::size_t kMaxLedgerEntryBytes = std::size_t{1024} * 1024;

enum class LedgerTimes : std::uint8_t { kOurs, kKeep };

// The one object that `json` is, without the blanks around it, otherwise byte for byte.
Result<std::string> checked_ledger_entry(std::string_view json);

// `entry` is a checked one; `field` is a key of it, not a path.
Result<std::string> stamped_ledger_entry(std::string_view entry, const std::string& field,
                                         WallTime now, LedgerTimes times);

struct LedgerCaps {
  struct PerField {
    std::vector<std::string> field;  // keys, from the outside in
    std::uint64_t newest = 1;
  };
  std::vector<PerField> per{};
  std::optional<std::uint64_t> newest{};
};

struct LedgerEdit {
  std::string bytes;        // the whole ledger
  std::string entry;        // the new one, as it stands in it
  std::size_t entries = 0;  // in it, the new one included
  std::size_t dropped = 0;  // by caps
};

// A ledger without entries: what an absent file counts as.
std::string_view empty_ledger(LedgerFormat format);
LedgerFormat new_ledger_format(LedgerNaming naming);  // lines for `.jsonl`, else an array

// `ledger` is whole, `entry` a checked one, a cap at least 1.
Result<LedgerEdit> append_to_ledger(const LedgerText& ledger, std::string_view entry,
                                    const LedgerCaps& caps);

// A whole ledger of the entries that could be read.
Result<std::string> rebuilt_ledger(const LedgerText& damaged);

}  // namespace holdfast
