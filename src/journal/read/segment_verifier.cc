// SPDX-License-Identifier: Apache-2.0
#include "journal/read/segment_verifier.h"

#include <algorithm>

#include "journal/read/grouper.h"
#include "journal/read/line_reader.h"
#include "journal/read/matcher.h"
#include "journal/read/summary.h"
#include "journal/store/blob_store.h"
#include "journal/store/chain.h"
#include "journal/store/segment_facts.h"

namespace holdfast::journal {
namespace {

class Verifier {
 public:
  Verifier(const Snapshot& snapshot, const SegmentFile& segment,
           const std::vector<std::uint64_t>& pins, bool with_blobs)
      : snapshot_(snapshot),
        segment_(segment),
        tracker_(segment, snapshot.journal_id()),
        pins_(pins),
        next_pin_(std::ranges::lower_bound(pins, segment.ref.first_seq)),
        with_blobs_(with_blobs) {}

  Result<VerifiedSegment> run() {
    LineReader lines = HF_TRY(LineReader::open(snapshot_.dir(), segment_));
    HF_TRY(read_records(lines, tracker_, [&](const RecordView& record, const Line& line) {
      return check(record, line);
    }));
    result_.facts = tracker_.finish(lines.offset());
    return std::move(result_);
  }

 private:
  Result<os::Visit> check(const RecordView& record, const Line& line) {
    const RecordFields& fields = record.fields;
    if (records_ == 0 && line.offset == 0) begin(record);
    check_hash(record, line);
    if (fields.type == SegmentSealed::kType) check_seal(fields, line);
    if (next_pin_ != pins_.end() && *next_pin_ <= fields.seq) [[unlikely]]
      pin(record);
    if (with_blobs_) HF_TRY(check_blob(fields, line));
    ++records_;
    first_seq_ = first_seq_ == 0 ? fields.seq : first_seq_;
    counts_full_ = !counts_.add(fields.type) || counts_full_;
    merkle_.add(record.hash);
    head_ = record.hash;
    last_seq_ = fields.seq;
    return os::Visit::kContinue;
  }

  // The header names what it continues; whether that is the end of the segment before is for
  // `judge`.
  void begin(const RecordView& record) {
    journal_ = snapshot_.journal_id();
    if (record.fields.type != SegmentOpened::kType) return;
    const auto opened = decode_segment_opened(record.fields.data, "header");
    if (!opened) return;
    journal_ = opened->journal;
    head_ = opened->previous ? opened->previous->head : Digest{};
    head_known_ = true;
  }

  void check_hash(const RecordView& record, const Line& line) {
    // Behind a gap that the writer declared, the chain continues; behind one that it did not, there
    // is nothing to compare with, and the gap is reported.
    const bool comparable = head_known_ && journal_ && tracker_.follows(record.fields.seq);
    if (comparable && chain_hash(*journal_, head_, record.hashed) != record.hash) {
      damage(damage_kind::kChain, line,
             "the hash of record " + std::to_string(record.fields.seq) +
                 " does not continue the record before it");
    }
    head_known_ = true;
    if (!journal_) journal_ = snapshot_.journal_id();
  }

  void check_seal(const RecordFields& fields, const Line& line) {
    const auto seal = decode_segment_sealed(fields.data, "seal");
    if (!seal) return damage(damage_kind::kSeal, line, "the seal cannot be read");
    if (!tracker_.damaged().empty()) return;  // it cannot agree, and why is reported
    std::string wrong;
    const auto check = [&](bool right, std::string_view what) {
      if (!right) wrong += (wrong.empty() ? "" : ", ") + std::string(what);
    };
    check(seal->records == records_, "number of records");
    check(seal->seqs == SeqRange{.first = first_seq_, .last = last_seq_}, "range of records");
    check(seal->head == head_, "last hash");
    check(seal->root == merkle_.root(), "Merkle root");
    check(counts_agree(*seal), "counts by type");
    if (!wrong.empty())
      damage(damage_kind::kSeal, line, "the seal contradicts its segment: " + wrong);
  }

  [[nodiscard]] bool counts_agree(const SegmentSealed& seal) const {
    if (counts_full_)
      return true;  // more types than a table holds: no writer's doing, but no proof either
    TypeCounts counted;
    counts_.each([&](std::string_view type, std::uint64_t count) { counted.emplace(type, count); });
    return seal.counts == bounded_counts(std::move(counted));
  }

  void pin(const RecordView& record) {
    next_pin_ = std::lower_bound(next_pin_, pins_.end(), record.fields.seq);
    if (next_pin_ == pins_.end() || *next_pin_ != record.fields.seq) return;
    result_.pinned.push_back({.seq = record.fields.seq, .head = record.hash});
    ++next_pin_;
  }

  Result<> check_blob(const RecordFields& fields, const Line& line) {
    std::optional<BlobRef> blob;
    if (fields.data.starts_with(R"({"blob":")")) {
      blob = parse_blob_data(fields.data);
    } else if (fields.type == JournalRepaired::kType) {
      const auto repaired = decode_journal_repaired(fields.data, "repaired");
      if (repaired && repaired->blob) {
        blob = BlobRef{.digest = *repaired->blob, .segment = repaired->segment};
      }
    }
    if (!blob) return {};
    ++result_.blobs;
    const Result<std::string> content = read_blob(snapshot_.dir(), *blob);
    if (content) return {};
    tracker_.add(HF_TRY(data_damage(snapshot_.dir(), content.error(), segment_.ref.first_seq,
                                    line.offset, line.bytes)));
    return {};
  }

  void damage(std::string_view kind, const Line& line, std::string says) {
    tracker_.add({.segment = segment_.ref.first_seq,
                  .offset = line.offset,
                  .bytes = line.bytes,
                  .kind = std::string(kind),
                  .says = std::move(says)});
  }

  const Snapshot& snapshot_;
  const SegmentFile& segment_;
  SegmentTracker tracker_;
  const std::vector<std::uint64_t>& pins_;
  std::vector<std::uint64_t>::const_iterator next_pin_;
  bool with_blobs_;
  std::optional<Id128> journal_;
  bool head_known_ = false;
  Digest head_{};
  std::uint64_t records_ = 0;
  std::uint64_t first_seq_ = 0;
  std::uint64_t last_seq_ = 0;
  GroupTable counts_;
  bool counts_full_ = false;
  MerkleRoot merkle_;
  VerifiedSegment result_;
};

}  // namespace

Result<VerifiedSegment> verify_segment(const Snapshot& snapshot, const SegmentFile& segment,
                                       const std::vector<std::uint64_t>& pins, bool with_blobs) {
  return Verifier(snapshot, segment, pins, with_blobs).run();
}

}  // namespace holdfast::journal
