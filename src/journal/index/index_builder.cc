// SPDX-License-Identifier: Apache-2.0
#include "journal/index/index.h"

#include <algorithm>

#include "journal/read/grouper.h"
#include "journal/store/blob_store.h"
#include "journal/write/json_events.h"

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

namespace {

constexpr std::size_t kMaxCells = 600'000;
constexpr std::size_t kWide = 64;

}  // namespace

// The top level of one record's data.
class FieldIndexBuilder::Fields {
 public:
  Fields(FieldIndexBuilder& builder, std::uint32_t type) : builder_(builder), type_(type) {}

  bool key(std::string_view name) {
    if (depth_ == 1) name_ = name;
    return true;
  }
  bool scalar(std::string_view text, bool) {
    if (depth_ == 1) builder_.value(type_, name_, text);
    return true;
  }
  bool open(char) {
    if (depth_++ == 1) builder_.value(type_, name_, std::nullopt);
    return true;
  }
  bool close(char) {
    --depth_;
    return true;
  }

 private:
  FieldIndexBuilder& builder_;
  std::uint32_t type_;
  std::string name_;
  std::size_t depth_ = 0;
};

void FieldIndexBuilder::record(std::uint32_t type, std::string_view data) {
  ++records_;
  if (types_.size() <= type) types_.resize(type + 1);
  if (types_[type].opaque || data == "{}") return;
  Fields fields(*this, type);
  if (parse_blob_data(data) || !JsonEvents(fields).read(data)) types_[type].opaque = true;
}

FieldIndexBuilder::Column& FieldIndexBuilder::column_of(std::uint32_t type, std::string_view name) {
  for (const std::uint32_t id : types_[type].columns) {
    if (columns_[id].column.name == name) return columns_[id];
  }
  types_[type].columns.push_back(static_cast<std::uint32_t>(columns_.size()));
  columns_.push_back({.column = {.type = type, .name = std::string(name)},
                      .ids = {},
                      .counts = {},
                      .last_record = 0});
  return columns_.back();
}

void FieldIndexBuilder::give_up(Column& column) {
  for (const std::string& value : column.column.values) value_bytes_ -= value.size();
  column.column.answerable = false;
  column.column.values.clear();
  column.column.blocks.clear();
  column.ids.clear();
  column.counts.clear();
}

void FieldIndexBuilder::value(std::uint32_t type, std::string_view name,
                              std::optional<std::string_view> value) {
  if (types_[type].opaque) return;
  Column& column = column_of(type, name);
  if (types_[type].columns.size() > kMaxIndexedFields) types_[type].opaque = true;
  if (column.last_record == records_) return;
  column.last_record = records_;
  if (!column.column.answerable) return;
  if (!value || value->size() > kMaxIndexedValue) return give_up(column);
  auto found = column.ids.find(*value);
  if (found == column.ids.end()) {
    if (column.ids.size() == kMaxIndexedValues ||
        value_bytes_ + value->size() > kMaxIndexBytes / 2) {
      return give_up(column);
    }
    value_bytes_ += value->size();
    found = column.ids.emplace(*value, static_cast<std::uint32_t>(column.counts.size())).first;
    column.column.values.emplace_back(*value);
    column.counts.push_back(0);
  }
  ++column.counts[found->second];
}

void FieldIndexBuilder::end_block() {
  ++blocks_;
  for (Column& column : columns_) {
    if (!column.column.answerable) continue;
    column.column.blocks.resize(blocks_);  // it may have begun late
    std::vector<FieldCell>& ours = column.column.blocks.back();
    for (std::uint32_t value = 0; value < column.counts.size(); ++value) {
      if (column.counts[value] == 0) continue;
      ours.push_back({.value = value, .count = column.counts[value]});
      column.counts[value] = 0;
    }
    cells_ += ours.size();
  }
  if (cells_ > kMaxCells) drop_widest();
}

// Memory is bounded; columns of many values are the ones that cost it.
void FieldIndexBuilder::drop_widest() {
  cells_ = 0;
  for (Column& column : columns_) {
    if (column.counts.size() > kWide) give_up(column);
    for (const auto& cells : column.column.blocks) cells_ += cells.size();
  }
}

FieldIndex FieldIndexBuilder::finish(std::size_t blocks) {
  FieldIndex index;
  for (std::uint32_t type = 0; type < types_.size(); ++type) {
    if (types_[type].opaque) index.opaque_types.push_back(type);
  }
  for (Column& column : columns_) {
    if (types_[column.column.type].opaque) give_up(column);
    if (column.column.answerable) column.column.blocks.resize(blocks);
    index.columns.push_back(std::move(column.column));
  }
  return index;
}

}  // namespace holdfast::journal
