// SPDX-License-Identifier: Apache-2.0
#include "journal/read/summary.h"

#include <iterator>
#include <utility>

#include "format/journal/journal_record.h"
#include "journal/read/line_reader.h"
#include "journal/store/chain.h"

namespace holdfast::journal {
namespace {

class Summariser {
 public:
  void add(std::uint64_t offset, std::string_view line) {
    const auto record = decode_record(line);
    if (!record) return add_damage(offset, line.size() + 1);
    SegmentSealed& sealed = summary_.sealed;
    if (sealed.records++ == 0) sealed.seqs.first = record->fields.seq;
    sealed.seqs.last = record->fields.seq;
    sealed.head = record->hash;
    merkle_.add(record->hash);
    const auto found = sealed.counts.find(record->fields.type);
    if (found != sealed.counts.end()) {
      ++found->second;
    } else {
      sealed.counts.emplace(record->fields.type, 1);
    }
  }
  void add_damage(std::uint64_t offset, std::uint64_t bytes) {
    std::vector<ByteRange>& damaged = summary_.damaged;
    if (!damaged.empty() && damaged.back().offset + damaged.back().bytes == offset) {
      damaged.back().bytes += bytes;
    } else {
      damaged.push_back({.offset = offset, .bytes = bytes});
    }
  }
  Summary finish() {
    summary_.sealed.root = merkle_.root();
    summary_.sealed.counts = bounded_counts(std::move(summary_.sealed.counts));
    return std::move(summary_);
  }

 private:
  Summary summary_;
  MerkleRoot merkle_;
};

}  // namespace

TypeCounts bounded_counts(TypeCounts counts) {
  if (counts.size() <= kMaxSealedTypes) return counts;
  const auto first = std::next(counts.begin(), kMaxSealedTypes);
  std::uint64_t rest = 0;
  for (auto at = first; at != counts.end(); ++at) rest += at->second;
  counts.erase(first, counts.end());
  counts.emplace("*", rest);
  return counts;
}

Result<Summary> summarise(const os::Dir& dir, const SegmentFile& segment) {
  Summariser summary;
  LineReader lines = HF_TRY(LineReader::open(dir, segment));
  for (Line line; HF_TRY(lines.next(line));) {
    if (line.kind == Line::Kind::kWhole) {
      summary.add(line.offset, line.text);
    } else {
      summary.add_damage(line.offset, line.bytes);
    }
  }
  return summary.finish();
}

}  // namespace holdfast::journal
