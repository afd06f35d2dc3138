// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "journal/index/index_builder.h"
#include "journal/store/blob_store.h"
#include "journal/write/json_events.h"

namespace holdfast::journal {
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
