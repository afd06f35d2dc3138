// SPDX-License-Identifier: Apache-2.0
#include "journal/read/verify.h"

#include <algorithm>

#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"
#include "journal/read/segment_verifier.h"
#include "journal/read/two_threads.h"
#include "journal/write/continuity.h"

namespace holdfast::journal {
namespace {

std::unexpected<Error> anchor_corrupt(std::string_view subject, std::string_view why) {
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the anchor",
               .subject = std::string(subject),
               .cause = "bad-anchor",
               .detail = std::string(why)});
}

const std::string* text_field(const Json& record, const char* key) {
  const Json* field = record.find(key);
  return field != nullptr ? field->text() : nullptr;
}

}  // namespace

std::string encode_anchor(const Anchor& anchor) {
  return R"({"v":1,"journal":")" + to_hex(anchor.journal) + R"(","seq":)" +
         std::to_string(anchor.seq) + R"(,"head":")" + to_base64url(anchor.head) + R"(","time":")" +
         format_rfc3339(anchor.time) + "\"}\n";
}

Result<Anchor> parse_anchor(std::string_view line, std::string_view subject) {
  const Json record = parse_json(line);
  if (!record.is_object()) return anchor_corrupt(subject, "it is not one JSON object");
  HF_TRY(check_format_version("anchor", subject, json_version(record), Anchor::kVersion));
  const std::string* journal = text_field(record, "journal");
  const auto id = journal != nullptr ? parse_id128(*journal) : std::nullopt;
  if (!id) return anchor_corrupt(subject, "it has no valid journal id");
  const Json* seq = record.find("seq");
  const auto number = seq != nullptr ? seq->count() : std::nullopt;
  if (!number || *number == 0) return anchor_corrupt(subject, "it has no valid number");
  const std::string* head = text_field(record, "head");
  const auto digest = head != nullptr ? parse_digest_base64url(*head) : std::nullopt;
  if (!digest) return anchor_corrupt(subject, "it has no valid head");
  const std::string* time = text_field(record, "time");
  const auto made = time != nullptr ? parse_rfc3339(*time) : std::nullopt;
  if (!made) return anchor_corrupt(subject, "it has no valid time");
  return Anchor{.journal = *id, .seq = *number, .head = *digest, .time = *made};
}

Result<AnchorLines> parse_anchors(std::string_view text, std::string_view subject) {
  AnchorLines lines;
  std::optional<Error> first;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty()) continue;
    const std::string place = std::string(subject) + ":" + std::to_string(number);
    auto anchor = parse_anchor(line, place);
    if (anchor) {
      lines.anchors.push_back(*anchor);
      continue;
    }
    if (anchor.error().code != ErrorCode::kCorrupt) return fail(std::move(anchor).error());
    lines.bad.push_back(
        {.anchors_before = lines.anchors.size(), .says = place + ": " + anchor.error().detail});
    if (!first) first = std::move(anchor).error();
  }
  if (!lines.anchors.empty()) return lines;
  if (first) return fail(*std::move(first));
  return anchor_corrupt(subject, "it holds no anchor; was it cut short?");
}

namespace {

std::vector<std::uint64_t> pins_of(const std::vector<Anchor>& anchors,
                                   const std::optional<HeadNote>& noted) {
  std::vector<std::uint64_t> pins;
  pins.reserve(anchors.size() + 1);
  if (noted) pins.push_back(noted->seq);
  for (const Anchor& anchor : anchors) pins.push_back(anchor.seq);
  std::ranges::sort(pins);
  const auto twice = std::ranges::unique(pins);
  pins.erase(twice.begin(), twice.end());
  return pins;
}

bool is_dropped(std::uint64_t seq, const std::vector<Damage>& damaged) {
  return std::ranges::any_of(damaged, [&](const Damage& damage) {
    return damage.dropped && damage.lost.first <= seq && seq <= damage.lost.last;
  });
}

// Where an anchor that fails points to: the segment that should have the record.
std::uint64_t segment_of(std::uint64_t seq, const Snapshot& snapshot) {
  std::uint64_t segment = 0;
  for (const SegmentFile& file : snapshot.segments()) {
    if (segment == 0 || file.ref.first_seq <= seq) segment = file.ref.first_seq;
  }
  return segment;
}

// The end of the journal against what its last writer noted of it, in this boot.
void check_end(const Snapshot& snapshot, const std::vector<VerifiedSegment>& segments,
               VerifyResult& result) {
  const HeadNote& noted = *snapshot.noted();
  Damage damage{.segment = noted.segment};
  if (!segments.empty()) damage.segment = snapshot.segments().back().ref.first_seq;
  if (result.last_seq < noted.seq) {
    // Damage at the very end may stand for them, or a record that cannot be read.
    if (!segments.empty() && !segments.back().facts.damaged.empty()) return;
    damage.kind = damage_kind::kGap;
    damage.lost = {.first = result.last_seq + 1, .last = noted.seq};
    damage.says = are_missing(damage.lost) + ", at the end of the journal";
    if (!segments.empty()) damage.offset = segments.back().facts.text_bytes;
    result.damaged.push_back(std::move(damage));
    return;
  }
  for (const VerifiedSegment& segment : segments) {
    for (const PinnedHead& pinned : segment.pinned) {
      if (pinned.seq != noted.seq || pinned.head == noted.head) continue;
      damage.segment = segment.facts.file.ref.first_seq;
      damage.kind = damage_kind::kChain;
      damage.says = "record " + std::to_string(noted.seq) + " is not the one that was written";
      result.damaged.push_back(damage);
    }
  }
}

class Anchors {
 public:
  Anchors(const Snapshot& snapshot, const std::vector<VerifiedSegment>& segments)
      : snapshot_(snapshot), segments_(segments) {}

  void check(const Anchor& anchor, VerifyResult& result) const {
    std::string wrong;
    const PinnedHead* found = find(anchor);
    if (snapshot_.journal_id() != anchor.journal) {
      wrong = "it is of another journal";
    } else if (found != nullptr && found->head == anchor.head) {
      result.anchors.push_back({.anchor = anchor, .state = AnchorVerdict::State::kHolds});
      result.pinned_to = std::max(result.pinned_to.value_or(0), anchor.seq);
      result.pinned = result.pinned || anchor.seq == result.last_seq;
      return;
    } else if (found != nullptr) {
      wrong = "the record is another one now";
    } else if (is_dropped(anchor.seq, result.damaged)) {
      result.anchors.push_back({.anchor = anchor, .state = AnchorVerdict::State::kDropped});
      return;
    } else {
      wrong = anchor.seq > result.last_seq ? "the journal ends before it" : "it is not there";
    }
    result.anchors.push_back({.anchor = anchor, .state = AnchorVerdict::State::kFails});
    failed(anchor, wrong, result);
  }

 private:
  [[nodiscard]] const PinnedHead* find(const Anchor& anchor) const {
    const PinnedHead* other = nullptr;
    for (const VerifiedSegment& segment : segments_) {
      for (const PinnedHead& pinned : segment.pinned) {
        if (pinned.seq == anchor.seq && (other == nullptr || pinned.head == anchor.head)) {
          other = &pinned;
        }
      }
    }
    return other;
  }

  void failed(const Anchor& anchor, const std::string& wrong, VerifyResult& result) const {
    result.damaged.push_back({.segment = segment_of(anchor.seq, snapshot_),
                              .kind = std::string(damage_kind::kAnchor),
                              .says = "the anchor of record " + std::to_string(anchor.seq) +
                                      " does not hold: " + wrong});
  }

  const Snapshot& snapshot_;
  const std::vector<VerifiedSegment>& segments_;
};

}  // namespace

std::string_view to_text(AnchorVerdict::State state) {
  switch (state) {
    case AnchorVerdict::State::kHolds:
      return "holds";
    case AnchorVerdict::State::kFails:
      return "fails";
    case AnchorVerdict::State::kDropped:
      return "dropped";
  }
  return "fails";
}

Result<VerifyResult> verify(const Snapshot& snapshot, const VerifyOptions& options) {
  const std::vector<std::uint64_t> pins = pins_of(options.anchors, snapshot.noted());
  std::vector<VerifiedSegment> segments(snapshot.segments().size());
  HF_TRY(on_two_threads(segments.size(), [&](std::size_t, std::size_t item) -> Result<> {
    segments[item] =
        HF_TRY(verify_segment(snapshot, snapshot.segments()[item], pins, options.blobs));
    return {};
  }));

  VerifyResult result{.segments = segments.size()};
  std::vector<SegmentFacts> facts;
  facts.reserve(segments.size());
  for (VerifiedSegment& segment : segments) {
    result.records += segment.facts.records;
    result.blobs += segment.blobs;
    result.unfinished_bytes += segment.facts.unfinished_bytes;
    if (segment.facts.records != 0) {
      if (result.first_seq == 0) result.first_seq = segment.facts.first_seq;
      result.last_seq = segment.facts.last_seq;
      result.head = segment.facts.head;
    }
    facts.push_back(std::move(segment.facts));
  }
  result.damaged = judge(facts, OldestFirst::kYes, CheckHeads::kYes);
  if (snapshot.noted()) check_end(snapshot, segments, result);
  const Anchors anchors(snapshot, segments);
  for (const Anchor& anchor : options.anchors) anchors.check(anchor, result);
  return result;
}

}  // namespace holdfast::journal
