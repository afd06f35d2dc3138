// SPDX-License-Identifier: Apache-2.0
//
// The data of the journal's own records, type by type. Decoding takes the `d` of a record whose
// frame was already checked; it allows further keys, and answers kCorrupt (cause `bad-payload`)
// where a key is missing or of another kind. `subject` names the place in errors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/event.h"
#include "base/id128.h"
#include "base/result.h"

namespace holdfast {

// A run of sequence numbers, both ends included.
struct SeqRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool operator==(const SeqRange&) const = default;
};

// journal.opened, the first record of every segment:
// {"journal":hex,"segment":n,"previous":{"head":b64,"last":n,"bytes":n}|null,"boot":hex,"host":s,"format":1}
struct SegmentOpened {
  static constexpr std::string_view kType = "journal.opened";
  static constexpr std::int64_t kFormat = 1;

  struct Previous {
    Digest head;  // the chain continues from it
    std::uint64_t last_seq = 0;
    std::uint64_t bytes = 0;  // of the previous segment, its seal included
    bool operator==(const Previous&) const = default;
  };
  Id128 journal;
  std::uint64_t number = 1;          // of the segment, from 1
  std::optional<Previous> previous;  // nothing in the first segment of a journal
  Id128 boot;
  std::string host;
  bool operator==(const SegmentOpened&) const = default;
};

// journal.sealed, the last record of a complete segment; it speaks of all records before it:
// {"records":n,"first":n,"last":n,"head":b64,"root":b64,"counts":{type:n}}
struct SegmentSealed {
  static constexpr std::string_view kType = "journal.sealed";

  std::uint64_t records = 0;
  SeqRange seqs;
  Digest head;
  Digest root;                                               // journal/store/chain.h
  std::map<std::string, std::uint64_t, std::less<>> counts;  // records by type
  bool operator==(const SegmentSealed&) const = default;
};

// journal.repaired, what was found wrong, before anything was written behind it:
// {"kind":"torn"|"lost"|"damaged","segment":n,"offset":n,"bytes":n,"blob":hex?,"lost_from":n?,
//  "lost_to":n?,"same_boot":b,"says":s}
struct JournalRepaired {
  static constexpr std::string_view kType = "journal.repaired";

  enum class Kind : std::uint8_t {
    kTorn,     // bytes at the end that are no record; kept as a blob and cut off
    kLost,     // records that were written once (`lost`) and are gone
    kDamaged,  // bytes in the middle, left where they are; a person has seen them (journal repair)
  };
  Kind kind = Kind::kTorn;
  std::uint64_t segment = 0;  // first seq of the segment, its name
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::optional<Digest> blob{};
  std::optional<SeqRange> lost{};
  bool same_boot = true;  // false: it may be a power cut's doing
  std::string says{};
  bool operator==(const JournalRepaired&) const = default;
};

// journal.retention, durable before the segments go:
// {"dropped":[{"first":n,"last":n,"bytes":n,"head":b64}]}
struct JournalRetention {
  static constexpr std::string_view kType = "journal.retention";

  struct Dropped {
    SeqRange seqs;
    std::uint64_t bytes = 0;
    Digest head;
    bool operator==(const Dropped&) const = default;
  };
  std::vector<Dropped> dropped;
  bool operator==(const JournalRetention&) const = default;
};

// journal.sync_error, second record of the segment that replaces a poisoned one:
// {"segment":n,"error":"eio","unknown_from":n?,"unknown_to":n?}
struct JournalSyncError {
  static constexpr std::string_view kType = "journal.sync_error";

  std::uint64_t segment = 0;
  std::string error;
  std::optional<SeqRange> unknown;  // records that may or may not be on stable storage
  bool operator==(const JournalSyncError&) const = default;
};

// journal.full, when the reserve is given up and when there is space again:
// {"state":"began"|"ended","dropped_trace":n,"dropped_event":n,"since":rfc3339}
struct JournalFull {
  static constexpr std::string_view kType = "journal.full";

  bool ended = false;
  std::uint64_t dropped_trace = 0;
  std::uint64_t dropped_event = 0;
  std::int64_t since_us = 0;
  bool operator==(const JournalFull&) const = default;
};

EventData encode(const SegmentOpened& payload);
EventData encode(const SegmentSealed& payload);
EventData encode(const JournalRepaired& payload);
EventData encode(const JournalRetention& payload);
EventData encode(const JournalSyncError& payload);
EventData encode(const JournalFull& payload);

Result<SegmentOpened> decode_segment_opened(std::string_view data, std::string_view subject);
Result<SegmentSealed> decode_segment_sealed(std::string_view data, std::string_view subject);
Result<JournalRepaired> decode_journal_repaired(std::string_view data, std::string_view subject);
Result<JournalRetention> decode_journal_retention(std::string_view data, std::string_view subject);
Result<JournalSyncError> decode_journal_sync_error(std::string_view data, std::string_view subject);
Result<JournalFull> decode_journal_full(std::string_view data, std::string_view subject);

std::string_view to_text(JournalRepaired::Kind kind);  // "torn", "lost", "damaged"

}  // namespace holdfast
