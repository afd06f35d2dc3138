// SPDX-License-Identifier: Apache-2.0
//
// IndexBuilder: makes the index of a segment while a pass reads it, record by record.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/journal/journal_record.h"
#include "journal/index/index.h"

namespace holdfast::journal {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
template <typename Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// The fields of the data, by type; used by IndexBuilder.
class FieldIndexBuilder {
 public:
  void record(std::uint32_t type, std::string_view data);
  void end_block();
  // With the first `blocks` of the blocks that have ended.
  FieldIndex finish(std::size_t blocks);

 private:
  struct Column {
    FieldColumn column;
    TextMap<std::uint32_t> ids;
    std::vector<std::uint32_t> counts;  // in this block, by value
    std::uint64_t last_record = 0;      // of two equal keys the first counts
  };
  struct Type {
    bool opaque = false;
    std::vector<std::uint32_t> columns;
  };
  class Fields;

  void value(std::uint32_t type, std::string_view name, std::optional<std::string_view> value);
  Column& column_of(std::uint32_t type, std::string_view name);
  void give_up(Column& column);
  void drop_widest();

  std::vector<Type> types_;
  std::vector<Column> columns_;
  std::size_t blocks_ = 0;
  std::size_t value_bytes_ = 0;
  std::size_t cells_ = 0;
  std::uint64_t records_ = 0;
};

class IndexBuilder {
 public:
  explicit IndexBuilder(bool with_fields);

  void record(const RecordFields& fields, const Digest& hash, std::uint64_t end_offset);

  struct Built {
    SegmentIndex index;
    std::optional<FieldIndex> fields;
  };
  // `facts` of the whole pass. Nothing where there is nothing worth keeping: damage in front of the
  // end of the last block, or no block at all. The key still needs its parts of the file.
  std::optional<Built> finish(const SegmentFacts& facts);

 private:
  void end_block(const Digest& hash, std::uint64_t end_offset);
  std::uint32_t type_id(std::string_view type);

  SegmentIndex index_;
  TextMap<std::uint32_t> type_ids_;
  std::unique_ptr<FieldIndexBuilder> fields_;  // where wanted
  IndexBlock block_;                           // the one that is being filled
  std::uint64_t end_ = 0;                      // of the last record
  Digest last_hash_{};
  std::uint32_t last_type_ = 0;
};

}  // namespace holdfast::journal
