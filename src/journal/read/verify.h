// SPDX-License-Identifier: Apache-2.0
//
// verify: whether a journal is what its writers wrote, from its bytes alone; the index is never
// used.
//
// Checked: frame and checksum of each record; numbers without a gap; each hash against the record
// before it, across segments; what each header says of the segment before it (last number, head,
// length); each seal (numbers, head, Merkle root, counts by type); that blobs which records refer
// to are there and unchanged; anchors. It works while writers append (it verifies a snapshot) and
// takes no lock. Two threads verify segments at the same time; memory is flat.
//
// Behind a damaged line or a gap the chain starts anew from what the next record says: one damage
// is one report, not one for everything that follows.
//
// The end is checked against what the last writer of this boot noted in `state`: newest records or
// segments that were removed are missing (kind `gap`).
//
// Limit: whoever can write the files can write a new chain, or cut off the newest records and the
// note with them, and both verify; so does a cut after a reboot. `pinned` says whether an anchor
// excludes that up to the very last record, `pinned_to` up to which.
//
// Errors: as scan. Damage is no error but the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/id128.h"
#include "base/result.h"
#include "journal/read/damage.h"
#include "journal/read/snapshot.h"

namespace holdfast::journal {

// Anchor: what is kept elsewhere (a file of somebody else, a mail, a commit) so that nobody can
// change or cut off what the journal said until then:
//
//   {"v":1,"journal":"<32 hex>","seq":N,"head":"<43 base64url>","time":"2026-11-15T07:46:00.123Z"}
//
// One line, one JSON object. Further keys are allowed; a newer version is kCannotTell
// (`newer-version`); anything else is kCorrupt, cause `bad-anchor`.
struct Anchor {
  static constexpr std::int64_t kVersion = 1;

  Id128 journal{};
  std::uint64_t seq = 0;
  Digest head{};    // the chain hash of record `seq`
  WallTime time{};  // when the anchor was made; says nothing about the record

  bool operator==(const Anchor&) const = default;
};

std::string encode_anchor(const Anchor& anchor);  // with its newline
Result<Anchor> parse_anchor(std::string_view line, std::string_view subject);

// A line of a file of anchors that is none, for example the last one after a power cut.
struct BadAnchorLine {
  std::size_t anchors_before = 0;  // how many anchors of the file are in the lines before it
  std::string says{};              // `FILE:LINE: what is wrong`

  bool operator==(const BadAnchorLine&) const = default;
};

struct AnchorLines {
  std::vector<Anchor> anchors{};
  std::vector<BadAnchorLine> bad{};
};

// All lines of a file; empty lines are allowed. A bad line takes nothing away from the others. A
// file without any anchor is kCorrupt `bad-anchor`: it pins nothing. A newer version is an error,
// too. An error names `subject:LINE`.
Result<AnchorLines> parse_anchors(std::string_view text, std::string_view subject);

struct VerifyOptions {
  std::vector<Anchor> anchors{};
  bool blobs = true;  // read every blob; without, only records are verified
};

struct AnchorVerdict {
  enum class State : std::uint8_t {
    kHolds,    // record `seq` is there and has that head
    kFails,    // it is not there, has another head, or the journal is another one: damage `anchor`
    kDropped,  // its segment was removed by retention, as a record of the journal says
  };
  Anchor anchor{};
  State state = State::kFails;
};
std::string_view to_text(AnchorVerdict::State state);  // "holds", "fails", "dropped"

struct VerifyResult {
  std::uint64_t records = 0;  // readable ones
  std::uint64_t segments = 0;
  std::uint64_t first_seq = 0;  // 0 where there is no record
  std::uint64_t last_seq = 0;
  Digest head{};                  // of the last record; zeros where there is none
  std::uint64_t blobs = 0;        // references that were followed
  std::vector<Damage> damaged{};  // explained and not
  std::uint64_t unfinished_bytes = 0;
  bool pinned = false;
  std::optional<std::uint64_t> pinned_to{};  // the greatest number whose anchor holds
  std::vector<AnchorVerdict> anchors{};      // in the order given
};

Result<VerifyResult> verify(const Snapshot& snapshot, const VerifyOptions& options = {});

}  // namespace holdfast::journal
