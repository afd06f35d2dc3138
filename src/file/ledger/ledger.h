// SPDX-License-Identifier: Apache-2.0
//
// A ledger on disk (format/file/ledger_text.h says what one is): adding to it, reading it, mending it.
//
// Hostile interleavings, and what excludes them:
//   - two append at once, both read N entries, both write N+1: the directory's lock is held from
//     before the read until after the swap, so the second reads what the first wrote;
//   - the ledger is damaged or cannot be read, and "no entries" plus one is written over it: an
//     entry is only ever added to a ledger that was read whole; everything else is an Error, and
//     the file keeps its bytes;
//   - an editor that takes no lock writes in between: `changed-meanwhile` (file/replace/replace.h);
//   - a reader comes while it is written: it is swapped whole, so the reader finds one or the other
//     and needs no lock; of a write in place (not swapped) it says that it cannot tell;
//   - a link or a file of somebody else stands in its place: refused, for reading as well, because
//     an answer of that file would be believed. So it is for root.
//
// Errors: those of locate and Replacement; kCorrupt with the cause of the damage (ledger_text.h) or
// of the entry (ledger_edit.h); kRefused `too-large`, `foreign-owner`; kNotFound for reading and
// mending what is not there; kCannotTell `write-in-place-unfinished`; kBusy `changed-meanwhile`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "file/replace/replace.h"
#include "format/file/ledger_edit.h"

namespace holdfast::file {

inline constexpr std::uint32_t kNewLedgerMode = 0600;

struct LedgerAppend {
  LedgerCaps caps{};
  std::string time_field = "time";
  LedgerTimes times = LedgerTimes::kOurs;
  // Its locking, base and smallest size are set here. Without a mode a new ledger is 0600.
  ReplaceOptions replace{};
};

struct LedgerAppended {
  Replaced file;
  LedgerFormat format = LedgerFormat::kArray;
  std::string entry;  // as it stands in the ledger
  std::size_t entries = 0;
  std::size_t dropped = 0;  // by caps
  bool restored = false;  // a write in place had been cut short; the old content was put back first
};

// Adds one entry; an absent file is an empty ledger. The time is taken under the lock, so that
// entries are in the order of their times as long as the clock is not set back.
Result<LedgerAppended> append_ledger(const std::string& path, std::string_view entry_json,
                                     const LedgerAppend& how, const Clock& clock);

// All of its bytes, as one moment had them.
Result<std::string> load_ledger(const std::string& path, Links links, ForeignOwner foreign_owner,
                                TrustDir trust = TrustDir::kOnlyOwn);

inline constexpr std::size_t kMostDamagedCopies = 5;

struct LedgerRepaired {
  bool needed = false;  // false: it is whole, and nothing was done
  LedgerFormat format = LedgerFormat::kArray;
  std::size_t kept = 0;  // entries
  std::size_t damages = 0;
  std::size_t lost_bytes = 0;         // they are in the copy
  std::optional<std::string> copy{};  // the name of the damaged ledger's copy, beside it
  std::optional<Replaced> file{};
  bool restored = false;  // as of LedgerAppended
};

// A damaged ledger is first copied to `NAME.corrupt-TIME`, durably; then a ledger with every entry
// that could be read takes its place. A crash in between leaves the damaged one and the copy, and
// the next repair uses that copy. No copy is ever removed: the sixth is refused
// (`too-many-copies`). What is JSON but no ledger (`not-a-ledger`) is left alone.
Result<LedgerRepaired> repair_ledger(const std::string& path, const ReplaceOptions& options,
                                     const Clock& clock);

}  // namespace holdfast::file
