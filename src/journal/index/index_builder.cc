// SPDX-License-Identifier: Apache-2.0
#include "journal/index/index_builder.h"

#include <algorithm>

#include "journal/read/grouper.h"

namespace holdfast::journal {
namespace {

void add_to_cells(std::vector<IndexCell>& cells, const IndexCell& one) {
  // The newest are the likeliest; a block has few.
  for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
    if (cell->type == one.type && cell->hour == one.hour && cell->event_class == one.event_class) {
      ++cell->count;
      return;
    }
  }
  cells.push_back(one);
}

}  // namespace

IndexBuilder::IndexBuilder(bool with_fields)
    : fields_(with_fields ? std::make_unique<FieldIndexBuilder>() : nullptr) {}

std::uint32_t IndexBuilder::type_id(std::string_view type) {
  if (last_type_ < index_.types.size() && index_.types[last_type_] == type) return last_type_;
  auto found = type_ids_.find(type);
  if (found == type_ids_.end()) {
    found = type_ids_.emplace(type, static_cast<std::uint32_t>(index_.types.size())).first;
    index_.types.emplace_back(type);
  }
  return last_type_ = found->second;
}

void IndexBuilder::record(const RecordFields& fields, const Digest& hash,
                          std::uint64_t end_offset) {
  const std::uint32_t type = type_id(fields.type);
  if (block_.records == 0) block_.min_us = block_.max_us = fields.wall_us;
  block_.min_us = std::min(block_.min_us, fields.wall_us);
  block_.max_us = std::max(block_.max_us, fields.wall_us);
  add_to_cells(block_.cells, {.hour = hour_of(fields.wall_us),
                              .type = type,
                              .event_class = fields.event_class,
                              .count = 1});
  if (fields_) fields_->record(type, fields.data);
  end_ = end_offset;
  last_hash_ = hash;
  if (++block_.records == kBlockRecords) end_block(hash, end_offset);
}

void IndexBuilder::end_block(const Digest& hash, std::uint64_t end_offset) {
  block_.end = end_offset;
  index_.facts.head = hash;
  index_.facts.records += block_.records;
  index_.blocks.push_back(std::move(block_));
  block_ = {};
  if (fields_) fields_->end_block();
}

std::optional<IndexBuilder::Built> IndexBuilder::finish(const SegmentFacts& facts) {
  const bool complete = !facts.file.live && facts.sealed;
  if (complete && block_.records > 0) end_block(last_hash_, end_);
  if (index_.blocks.empty() || !facts.opened) return std::nullopt;
  const std::uint64_t covered = index_.blocks.back().end;
  if (complete && covered != facts.text_bytes) return std::nullopt;
  for (const Damage& damage : facts.damaged) {
    if (complete || damage.offset < covered) return std::nullopt;
  }
  SegmentFacts& prefix = index_.facts;
  prefix.opened = facts.opened;
  prefix.first_seq = facts.first_seq;
  prefix.last_seq = facts.first_seq + prefix.records - 1;
  prefix.text_bytes = covered;
  prefix.sealed = facts.sealed && prefix.last_seq == facts.last_seq;
  for (const Note& note : facts.notes) {
    if (note.seq <= prefix.last_seq) prefix.notes.push_back(note);
  }
  index_.key.first_seq = facts.file.ref.first_seq;
  index_.key.compressed = facts.file.ref.compressed;
  index_.key.complete = complete;
  index_.key.covered = covered;
  index_.key.records = prefix.records;
  index_.key.journal = facts.opened->journal;
  Built built{.index = std::move(index_), .fields = std::nullopt};
  if (fields_) built.fields = fields_->finish(built.index.blocks.size());
  return built;
}

}  // namespace holdfast::journal
