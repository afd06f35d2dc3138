// SPDX-License-Identifier: Apache-2.0
#include "journal/index/index_count.h"

#include <algorithm>
#include <map>

#include "journal/read/count.h"

namespace holdfast::journal {
namespace {

using IndexCountRoot = FieldPath::Root;
using What = GroupBy::What;

// The field's name, where the path is one that an index knows.
std::optional<std::string> top_level_field(const FieldPath& path) {
  if (path.root != IndexCountRoot::kData || path.keys.size() != 1) return std::nullopt;
  return path.keys[0];
}

class Answer {
 public:
  Answer(const Filter& filter, std::span<const GroupBy> by, const SegmentIndex& index,
         const std::function<void(std::string_view, std::uint64_t)>& add)
      : filter_(filter), by_(by), index_(index), add_(add), key_(by.size()) {
    for (const std::string& type : index.types) type_passes_.push_back(passes_type(type));
  }

  [[nodiscard]] bool type_passes(std::uint32_t type) const { return type_passes_[type]; }

  void cell(const IndexCell& cell) {
    const std::string_view class_text = to_text(cell.event_class);
    if (!type_passes_[cell.type] || !passes(IndexCountRoot::kClass, class_text)) return;
    if (filter_.event_class && *filter_.event_class != cell.event_class) return;
    key_.clear();
    for (const GroupBy& by : by_) {
      if (by.what == What::kDay) {
        key_.part(day_text(cell.hour));
      } else if (by.what == What::kHour) {
        key_.part(hour_text(cell.hour));
      } else {
        key_.part(by.path.root == IndexCountRoot::kType ? std::string_view(index_.types[cell.type])
                                                        : class_text);
      }
    }
    add_(key_.text(), cell.count);
  }

  void value(std::uint32_t type, std::optional<std::string_view> value, std::uint64_t count) {
    if (count == 0 || !passes(IndexCountRoot::kData, value)) return;
    key_.clear();
    for (const GroupBy& by : by_) {
      key_.part(by.path.root == IndexCountRoot::kType ? std::string_view(index_.types[type])
                                                      : value.value_or(kNoValue));
    }
    add_(key_.text(), count);
  }

 private:
  bool passes_type(std::string_view type) const {
    return journal::type_passes(filter_, type) && passes(IndexCountRoot::kType, type);
  }
  [[nodiscard]] bool passes(IndexCountRoot root, std::optional<std::string_view> value) const {
    return std::ranges::all_of(filter_.where, [&](const Where& where) {
      if (where.path.root != root) return true;
      const bool equal = value == std::optional<std::string_view>(where.value);
      return equal == (where.test == Where::Test::kEqual);
    });
  }

  const Filter& filter_;
  std::span<const GroupBy> by_;
  const SegmentIndex& index_;
  const std::function<void(std::string_view, std::uint64_t)>& add_;
  GroupKey key_;
  std::vector<bool> type_passes_;
};

using Columns = std::vector<const FieldColumn*>;  // by type; nullptr: no record of it has the field

// Nothing where a type that is asked for cannot be answered.
std::optional<Columns> columns_of(const Answer& answer, const SegmentIndex& index,
                                  const FieldIndex& fields) {
  Columns columns(index.types.size());
  for (const FieldColumn& column : fields.columns) {
    if (column.type >= columns.size()) return std::nullopt;
    if (!column.answerable && answer.type_passes(column.type)) return std::nullopt;
    columns[column.type] = &column;
  }
  for (const std::uint32_t type : fields.opaque_types) {
    if (type >= columns.size() || answer.type_passes(type)) return std::nullopt;
  }
  return columns;
}

void add_values(Answer& answer, const SegmentIndex& index, std::size_t block,
                const Columns& columns) {
  std::vector<std::uint64_t> without(columns.size());
  for (const IndexCell& cell : index.blocks[block].cells) without[cell.type] += cell.count;
  for (std::uint32_t type = 0; type < columns.size(); ++type) {
    if (!answer.type_passes(type)) continue;
    if (const FieldColumn* column = columns[type]) {
      for (const FieldCell& cell : column->blocks[block]) {
        without[type] -= cell.count;
        answer.value(type, column->values[cell.value], cell.count);
      }
    }
    answer.value(type, std::nullopt, without[type]);
  }
}

}  // namespace

IndexPlan plan_index(const Filter& filter, std::span<const GroupBy> by) {
  if (filter.writer) return {};
  bool by_field_only = true;  // nothing but types beside a field
  std::optional<std::string> field;
  const auto take = [&](const FieldPath& path) {
    if (path.root == IndexCountRoot::kType) return true;
    if (path.root == IndexCountRoot::kClass) {
      by_field_only = false;
      return true;
    }
    const auto name = top_level_field(path);
    if (!name || (field && *field != *name)) return false;
    field = name;
    return true;
  };
  for (const Where& where : filter.where) {
    if (!take(where.path)) return {};
  }
  for (const GroupBy& each : by) {
    if (each.what != What::kField) {
      by_field_only = false;
    } else if (!take(each.path)) {
      return {};
    }
  }
  if (!field) return {.use = IndexPlan::Use::kCells};
  if (!by_field_only || filter.event_class) return {};
  return {.use = IndexPlan::Use::kField, .field = *field};
}

bool answer_from_index(const Filter& filter, std::span<const GroupBy> by, const IndexPlan& plan,
                       const SegmentIndex& index, const FieldIndex* fields,
                       const std::function<void(std::string_view, std::uint64_t)>& add,
                       std::vector<EdgeBlock>& edges) {
  Answer answer(filter, by, index, add);
  std::optional<Columns> columns;
  if (plan.use == IndexPlan::Use::kField) {
    if (fields != nullptr) columns = columns_of(answer, index, *fields);
    if (!columns) return false;
  }
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < index.blocks.size(); ++i) {
    const IndexBlock& block = index.blocks[i];
    const bool outside = (filter.since_us && block.max_us < *filter.since_us) ||
                         (filter.until_us && block.min_us >= *filter.until_us);
    if (!outside && time_passes(filter, block.min_us) && time_passes(filter, block.max_us)) {
      if (columns) {
        add_values(answer, index, i, *columns);
      } else {
        for (const IndexCell& cell : block.cells) answer.cell(cell);
      }
    } else if (!outside) {
      edges.push_back({.begin = begin, .end = block.end});
    }
    begin = block.end;
  }
  return true;
}

}  // namespace holdfast::journal
