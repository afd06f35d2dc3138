// SPDX-License-Identifier: Apache-2.0
//
// The text of a ledger: a history of JSON objects, as one JSON array or as JSON lines.
//
//   const LedgerText ledger = read_ledger(bytes, ledger_naming(path));
//   if (!ledger.whole()) return fail(ledger_error(ledger, path));
//
// Guarantee: each entry is a span of the bytes, so an edit keeps all others byte for byte: spelling
// of numbers, order of keys, blanks. Nothing that cannot be read is ever taken for "no entries": it
// is in `damage`, and what could be read in spite of it is in `entries` (for a repair, which shows
// both; nobody else uses them).
//
// Which of the two: the first character decides, whatever the name. `[` is an array; anything else
// is lines, and a value that needs several lines, or one line alone that is no object, is
// `not-a-ledger`. So is one line with one object in a file called `.json`: it is more likely a
// settings file, which a second line would break. A byte order mark at the beginning is kept; lines
// may end in CR LF; blank lines and a missing final newline are no damage.
//
// Damage, by cause:
//   empty-file         nothing but blanks, where the name does not say lines: what a writer leaves
//                      that truncates first
//   cut-off            the array ends too early
//   torn-tail          the last line has no line end and is not whole
//   not-json           anything else that is not JSON
//   nul-bytes          zeros, as a power cut leaves them
//   double-bom         a second byte order mark
//   entry-not-object   JSON, but not an object
//   too-deep           an object that is nested more than kMaxLedgerDepth levels deep: who shows or
//                      copies it would need a stack without end
//   not-a-ledger       one JSON value that is not a list; a repair keeps its hands off
//
// What is kept of a damaged array: the whole objects before the damage; behind it, those that begin
// on a line of their own with the indentation of the first entry, or, where everything is on one
// line, those behind a damaged one whose brackets still match. An object *inside* a damaged entry
// is never taken for an entry. Of damaged lines: every other line.
//
// Limits: kMaxLedgerBytes (the caller's business when reading). A number that no double can hold
// (1e999) is not JSON here. Entries that are there may be larger than kMaxLedgerEntryBytes and may
// have equal keys (the last counts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace holdfast {

inline constexpr std::size_t kMaxLedgerBytes = std::size_t{64} * 1024 * 1024;
inline constexpr std::size_t kMaxLedgerDamages = 1000;
// Brackets in each other, the entry's own included. A new entry may have fewer (ledger_edit.h); an
// answer that holds a deeper one could not be read by jq, which takes 256.
inline constexpr std::size_t kMaxLedgerDepth = 200;

enum class LedgerFormat : std::uint8_t { kArray, kLines };
std::string_view to_text(LedgerFormat format);  // "array", "lines"

// What the name says; it counts only where the content does not.
enum class LedgerNaming : std::uint8_t {
  kLines,  // `.jsonl`
  kJson,   // `.json`
  kOther,
};
LedgerNaming ledger_naming(std::string_view path);

struct LedgerEntry {
  std::string_view text;  // the object
  // Everything between it and the entry before it, or between it and the head.
  std::string_view gap;
  bool after_loss = false;  // damage stands before it; then `gap` is empty
};

struct LedgerDamage {
  std::string_view cause;
  std::size_t line = 0;   // from 1
  std::size_t entry = 0;  // from 1; 0 where it is not about one
  std::string detail;     // for people
};

struct LedgerText {
  LedgerFormat format = LedgerFormat::kArray;
  std::string_view
      head;  // an array's bracket and what stands before it; the byte order mark of lines
  std::string_view newline;  // the first line end, empty where there is none
  std::vector<LedgerEntry> entries;
  std::string_view tail;             // behind the last entry; of a damaged ledger nothing
  std::vector<LedgerDamage> damage;  // the first kMaxLedgerDamages
  std::size_t damages = 0;           // all of them
  std::size_t lost_bytes = 0;        // in no entry because of damage

  [[nodiscard]] bool whole() const { return damages == 0; }
  [[nodiscard]] bool is_ledger() const;  // false for `not-a-ledger`
};

// The answer points into `bytes`.
LedgerText read_ledger(std::string_view bytes, LedgerNaming naming);

// The first damage as kCorrupt, with its cause, line and entry.
Error ledger_error(const LedgerText& damaged, const std::string& path);

// The line, from 1, of offsets that only grow.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  std::size_t line_of(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  std::size_t line_ = 1;
};

}  // namespace holdfast
