// SPDX-License-Identifier: Apache-2.0
#include "journal/read/segment_counter.h"

#include <algorithm>

#include "journal/read/line_reader.h"
#include "journal/store/segment_facts.h"

namespace holdfast::journal {
namespace {

bool asks_more_than_all(const Filter& filter) {
  return !filter.types.empty() || filter.since_us || filter.until_us || !filter.where.empty() ||
         filter.event_class || filter.writer;
}

}  // namespace

SegmentCounter::SegmentCounter(const Snapshot& snapshot, const CountQuestion& question,
                               IndexStore* store)
    : snapshot_(snapshot),
      question_(question),
      store_(store),
      values_(snapshot.dir()),
      matcher_(question.filter, values_),
      grouper_(question.by, values_),
      filtered_(asks_more_than_all(question.filter)) {}

bool SegmentCounter::worth_building(const SegmentFile& segment, std::uint64_t covered) const {
  if (!segment.live) return true;
  return segment.size - covered >= std::max(question_.index_live_from, covered);
}

Result<SegmentFacts> SegmentCounter::count(const SegmentFile& segment) {
  if (store_ == nullptr) return count_by_scan(segment, /*build=*/false);
  const std::optional<SegmentIndex> index = store_->load(segment);
  if (!index) return count_by_scan(segment, worth_building(segment, 0));
  const bool outgrown = segment.live && worth_building(segment, index->key.covered);
  std::optional<FieldIndex> fields;
  if (question_.plan.use == IndexPlan::Use::kField) {
    fields = store_->load_field(*index, question_.plan.field);
  }
  const bool incomplete = question_.plan.use == IndexPlan::Use::kField && !fields;
  if (outgrown || incomplete) return count_by_scan(segment, /*build=*/true);
  std::optional<SegmentFacts> facts =
      HF_TRY(count_by_index(segment, *index, fields ? &*fields : nullptr));
  if (!facts) return count_by_scan(segment, /*build=*/false);
  index_used_ = true;
  return *std::move(facts);
}

Result<> SegmentCounter::take(const RecordFields& record, std::uint64_t& total, GroupTable& table) {
  if (filtered_) {
    const Result<bool> matches = matcher_.matches(record);
    if (!matches) return fail(matches.error());
    if (!*matches) return {};
  }
  if (!question_.by.empty()) {
    const Result<std::string_view> key = grouper_.key_of(record);
    if (!key) return fail(key.error());
    if (!table.add(*key)) [[unlikely]]
      full_ = true;
  }
  ++total;
  return {};
}

Result<SegmentFacts> SegmentCounter::count_by_scan(const SegmentFile& segment, bool build) {
  LineReader lines = HF_TRY(LineReader::open(snapshot_.dir(), segment));
  SegmentTracker tracker(segment, snapshot_.journal_id());
  std::optional<IndexBuilder> builder;
  if (build) builder.emplace(question_.plan.use == IndexPlan::Use::kField);
  HF_TRY(read_records(
      lines, tracker, [&](const RecordView& record, const Line& line) -> Result<os::Visit> {
        if (const Result<> taken = take(record.fields, total_, table_); !taken) [[unlikely]] {
          tracker.add(HF_TRY(data_damage(snapshot_.dir(), taken.error(), segment.ref.first_seq,
                                         line.offset, line.bytes)));
        }
        if (builder) builder->record(record.fields, record.hash, line.offset + line.bytes);
        return os::Visit::kContinue;
      }));
  SegmentFacts facts = tracker.finish(lines.offset());
  if (builder) {
    if (auto built = builder->finish(facts)) store_->save(segment, *std::move(built));
  }
  return facts;
}

void SegmentCounter::add(std::string_view key, std::uint64_t count, Tally& tally) {
  tally.total += count;
  if (!question_.by.empty() && !tally.groups.add(key, count)) full_ = true;
}

Result<std::optional<SegmentFacts>> SegmentCounter::count_by_index(const SegmentFile& segment,
                                                                   const SegmentIndex& index,
                                                                   const FieldIndex* fields) {
  Tally tally;
  std::vector<EdgeBlock> edges;
  const bool answered = answer_from_index(
      question_.filter, question_.by, question_.plan, index, fields,
      [&](std::string_view key, std::uint64_t count) { add(key, count, tally); }, edges);
  if (!answered) return std::nullopt;
  for (const EdgeBlock& edge : edges) {
    if (!HF_TRY(count_edge(segment, edge, tally))) return std::nullopt;
  }
  SegmentFacts facts = index.facts;
  if (segment.live) {
    LineReader lines = HF_TRY(LineReader::open(snapshot_.dir(), segment, index.key.covered));
    SegmentTracker tracker(std::move(facts), snapshot_.journal_id());
    HF_TRY(read_records(
        lines, tracker, [&](const RecordView& record, const Line& line) -> Result<os::Visit> {
          if (const Result<> taken = take(record.fields, tally.total, tally.groups); !taken) {
            tracker.add(HF_TRY(data_damage(snapshot_.dir(), taken.error(), segment.ref.first_seq,
                                           line.offset, line.bytes)));
          }
          return os::Visit::kContinue;
        }));
    facts = tracker.finish(lines.offset());
  }
  total_ += tally.total;
  tally.groups.each([&](std::string_view key, std::uint64_t count) {
    if (!table_.add(key, count)) full_ = true;
  });
  return facts;
}

// false: something in it is not as it was when the index was made.
Result<bool> SegmentCounter::count_edge(const SegmentFile& segment, const EdgeBlock& edge,
                                        Tally& tally) {
  LineReader lines = HF_TRY(LineReader::open(snapshot_.dir(), segment, edge.begin, edge.end));
  for (Line line; HF_TRY(lines.next(line));) {
    const auto record = decode_record(line.text);
    if (!record || !take(record->fields, tally.total, tally.groups)) return false;
  }
  return true;
}

}  // namespace holdfast::journal
