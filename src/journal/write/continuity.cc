// SPDX-License-Identifier: Apache-2.0
#include "journal/write/continuity.h"

#include <algorithm>
#include <tuple>

namespace holdfast::journal {
namespace {

Damage at_front(const SegmentFacts& segment, std::string_view kind, std::string says) {
  return {
      .segment = segment.file.ref.first_seq, .kind = std::string(kind), .says = std::move(says)};
}

void check_oldest(const SegmentFacts& oldest, std::vector<Damage>& out) {
  const std::uint64_t first = oldest.file.ref.first_seq;
  const bool says_more = oldest.opened && oldest.opened->previous;
  if (first > 1) {
    const SeqRange lost{.first = 1, .last = first - 1};
    Damage damage = at_front(oldest, damage_kind::kMissingSegment,
                             are_missing(lost) + ", with all segments before this one");
    damage.lost = lost;
    out.push_back(std::move(damage));
  } else if (says_more) {
    out.push_back(at_front(oldest, damage_kind::kHeader,
                           "the header speaks of a segment before the first record"));
  }
}

// The header of `next` against the end of `before`; numbers are already known to fit.
void check_header(const SegmentFacts& before, const SegmentFacts& next, CheckHeads heads,
                  std::vector<Damage>& out) {
  if (!next.opened) return;  // reported by the pass
  const auto& previous = next.opened->previous;
  if (!previous) {
    out.push_back(
        at_front(next, damage_kind::kHeader,
                 "the header says that the journal begins here; there is a segment before"));
    return;
  }
  if (heads == CheckHeads::kYes && before.records != 0 && previous->head != before.head) {
    out.push_back(at_front(next, damage_kind::kChain,
                           "the header does not continue the last record of the segment before"));
    return;
  }
  const bool end_is_known = before.sealed && before.damaged.empty();
  if (before.last_seq != previous->last_seq) {
    out.push_back(at_front(next, damage_kind::kHeader,
                           "the header says that the segment before ends with record " +
                               std::to_string(previous->last_seq) + "; it ends with record " +
                               std::to_string(before.last_seq)));
  } else if (end_is_known && before.text_bytes != previous->bytes) {
    out.push_back(at_front(next, damage_kind::kHeader,
                           "the header says that the segment before has " +
                               std::to_string(previous->bytes) + " bytes; it has " +
                               std::to_string(before.text_bytes)));
  }
}

void check_pair(const SegmentFacts& before, const SegmentFacts& next, CheckHeads heads,
                std::vector<Damage>& out) {
  if (!before.complete || !next.from_start) return;
  if (!before.from_start && before.last_seq == 0) return;  // where it ended is not known
  const std::uint64_t first = next.file.ref.first_seq;
  // Without a readable record the numbers from the name on are unknown.
  const std::uint64_t expected =
      before.last_seq != 0 ? before.last_seq + 1 : before.file.ref.first_seq;
  if (first == expected && before.last_seq != 0) return check_header(before, next, heads, out);
  if (first < expected) {
    out.push_back(at_front(next, damage_kind::kChain,
                           "the segment begins with record " + std::to_string(first) +
                               ", but the one before goes to " + std::to_string(expected - 1)));
    return;
  }
  const SeqRange lost{.first = expected, .last = first - 1};
  // Bytes at the end that are no records stand for them.
  if (!out.empty() && out.back().segment == before.file.ref.first_seq && out.back().bytes != 0 &&
      out.back().offset + out.back().bytes == before.text_bytes && out.back().lost == SeqRange{} &&
      out.back().kind != damage_kind::kUnfinished) {
    note_lost(out.back(), lost);
    return;
  }
  Damage damage = at_front(next, before.sealed ? damage_kind::kMissingSegment : damage_kind::kGap,
                           are_missing(lost) + (before.sealed ? ", as a whole segment" : ""));
  damage.lost = lost;
  out.push_back(std::move(damage));
}

struct Explanations {
  struct Lost {
    std::uint64_t seq;  // of the record that says so
    SeqRange seqs;
  };
  std::vector<Lost> lost;
  std::vector<JournalRepaired> damaged;
  std::vector<SeqRange> dropped;
  std::vector<std::uint64_t> closed;   // segments whose missing seal is explained
  std::vector<std::uint64_t> headers;  // numbers of the first records of segments

  explicit Explanations(std::span<const SegmentFacts> segments);
  [[nodiscard]] bool explain(const Damage& damage) const;
  [[nodiscard]] bool is_dropped(const Damage& damage) const;

 private:
  [[nodiscard]] bool is_lost(const Damage& damage) const;
  [[nodiscard]] bool is_known_damage(const Damage& damage) const;
};

Explanations::Explanations(std::span<const SegmentFacts> segments) {
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentFacts& segment = segments[i];
    headers.push_back(segment.file.ref.first_seq);
    for (const Note& note : segment.notes) {
      std::uint64_t about = 0;
      if (note.type == JournalRepaired::kType) {
        Result<JournalRepaired> repaired = decode_journal_repaired(note.data, note.type);
        if (!repaired) continue;
        about = repaired->segment;
        if (repaired->kind == JournalRepaired::Kind::kLost && repaired->lost &&
            !repaired->same_boot) {
          lost.push_back({.seq = note.seq, .seqs = *repaired->lost});
        }
        if (repaired->kind == JournalRepaired::Kind::kDamaged) {
          damaged.push_back(*std::move(repaired));
        }
      } else if (note.type == JournalSyncError::kType) {
        const auto sync_error = decode_journal_sync_error(note.data, note.type);
        if (sync_error) about = sync_error->segment;
      } else if (const auto retention = decode_journal_retention(note.data, note.type)) {
        for (const auto& each : retention->dropped) dropped.push_back(each.seqs);
      }
      const bool second = note.seq == segment.file.ref.first_seq + 1;
      if (second && i > 0 && about != 0 && about == segments[i - 1].file.ref.first_seq) {
        closed.push_back(about);
      }
    }
  }
}

bool Explanations::is_lost(const Damage& damage) const {
  const std::uint64_t behind = damage.lost.last + 1;
  const bool header_behind = std::ranges::find(headers, behind) != headers.end();
  return std::ranges::any_of(lost, [&](const Lost& note) {
    return note.seqs == damage.lost &&
           (note.seq == behind || (header_behind && note.seq == behind + 1));
  });
}

bool Explanations::is_dropped(const Damage& damage) const {
  if (damage.kind != damage_kind::kMissingSegment) return false;
  // Retention takes the oldest first, so whoever names the segment before the oldest that is left
  // accounts for all before it; their own records may have gone the same way.
  std::uint64_t last = damage.lost.last;
  for (;;) {
    const auto found = std::ranges::find(dropped, last, &SeqRange::last);
    if (found == dropped.end()) return false;
    if (damage.lost.first == 1 || found->first <= damage.lost.first) return true;
    if (found->first > found->last) return false;
    last = found->first - 1;
  }
}

bool Explanations::is_known_damage(const Damage& damage) const {
  return std::ranges::any_of(damaged, [&](const JournalRepaired& known) {
    if (known.segment != damage.segment) return false;
    // A place between bytes is known only where exactly it was named, with what is missing there.
    if (damage.bytes == 0) {
      return known.bytes == 0 && known.offset == damage.offset &&
             known.lost.value_or(SeqRange{}) == damage.lost;
    }
    return known.offset <= damage.offset &&
           damage.offset + damage.bytes <= known.offset + known.bytes;
  });
}

bool Explanations::explain(const Damage& damage) const {
  if (damage.kind == damage_kind::kAnchor || damage.kind == damage_kind::kBlob) return false;
  if (is_known_damage(damage)) return true;
  if (damage.kind == damage_kind::kGap) return is_lost(damage);
  if (damage.kind == damage_kind::kMissingSegment) return is_dropped(damage) || is_lost(damage);
  if (damage.kind == damage_kind::kNoSeal || damage.kind == damage_kind::kUnfinished ||
      damage.kind == damage_kind::kZeroLength) {
    return std::ranges::find(closed, damage.segment) != closed.end();
  }
  return false;
}

}  // namespace

void explain(std::vector<Damage>& damaged, std::span<const SegmentFacts> segments) {
  if (damaged.empty()) return;
  const Explanations explanations(segments);
  for (Damage& damage : damaged) {
    damage.explained = explanations.explain(damage);
    damage.dropped = explanations.is_dropped(damage);
  }
}

std::vector<Damage> judge(std::span<const SegmentFacts> segments, OldestFirst from_oldest,
                          CheckHeads heads) {
  std::vector<Damage> out;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (i > 0) check_pair(segments[i - 1], segments[i], heads, out);
    if (i == 0 && from_oldest == OldestFirst::kYes && segments[0].from_start) {
      check_oldest(segments[0], out);
    }
    out.insert(out.end(), segments[i].damaged.begin(), segments[i].damaged.end());
  }
  sort_by_place(out);
  explain(out, segments);
  return out;
}

}  // namespace holdfast::journal
