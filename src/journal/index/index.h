// SPDX-License-Identifier: Apache-2.0
//
// The index: counts of a segment by blocks of records, so that a count reads a few kilobytes
// instead of the segment. `index/seg-<first>-<records>.idx` has the counts by hour, type and class;
// `.fields` beside it the counts by the values of top-level data fields, made only when a question
// needs them.
//
// It is derived and disposable: deleting it changes nothing but time, and verify never uses it.
//   - It covers a prefix of a segment in which no damage was found, so damage is always met by a
//   scan.
//   - It names what it was made from (SourceKey). What does not fit is ignored, and made anew.
//   - It has a version and checksums; anything else than what was written is ignored, and made
//   anew.
// A sealed segment is covered to its end, and any later change of the file (its length or time of
// modification) makes the index invalid. The live segment is covered by whole blocks; what follows
// is scanned.
//
// Limit: bytes that rot under an unchanged file (no write, so no new time) are found by verify, and
// by a count without the index.
//
// A (type, field) is not answerable where a value is an object, an array or longer than 128 bytes,
// where it has more than 1024 values in the segment, or where the data went to a blob or cannot be
// read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/event.h"
#include "base/id128.h"
#include "format/journal/journal_record.h"
#include "journal/store/segment_facts.h"

namespace holdfast::journal {

inline constexpr std::uint32_t kIndexVersion = 1;
inline constexpr std::uint32_t kBlockRecords = 4096;
inline constexpr std::size_t kMaxIndexedValue = 128;
inline constexpr std::size_t kMaxIndexedValues = 1024;  // of one (type, field)
inline constexpr std::size_t kMaxIndexedFields = 64;    // of one type
inline constexpr std::size_t kMaxIndexBytes = std::size_t{8} * 1024 * 1024;

// What an index was made from, as cheap to check as it can be.
struct SourceKey {
  Id128 journal{};
  std::uint64_t first_seq = 0;
  bool compressed = false;
  bool complete = false;         // covers all of a sealed segment
  std::uint64_t file_bytes = 0;  // of the file, where complete
  std::int64_t modified_ns = 0;  // likewise
  std::uint64_t covered = 0;     // bytes of text
  std::uint64_t records = 0;     // in them
  std::string front{};           // the first bytes of the file
  std::string tail{};  // the last bytes of the covered part (of a compressed one: of the file)

  bool operator==(const SourceKey&) const = default;
};

struct IndexCell {
  std::int64_t hour = 0;   // since 1970, rounded down
  std::uint32_t type = 0;  // in SegmentIndex::types
  EventClass event_class = EventClass::kEvent;
  std::uint32_t count = 0;

  bool operator==(const IndexCell&) const = default;
};

struct IndexBlock {
  std::uint64_t end = 0;  // the offset behind it; it begins where the one before ends
  std::uint32_t records = 0;
  std::int64_t min_us = 0;  // of the wall times in it
  std::int64_t max_us = 0;
  std::vector<IndexCell> cells{};

  bool operator==(const IndexBlock&) const = default;
};

struct SegmentIndex {
  SourceKey key{};
  SegmentFacts facts{};  // of the covered prefix; `file` is not kept
  std::vector<std::string> types{};
  std::vector<IndexBlock> blocks{};
};

struct FieldCell {
  std::uint32_t value = 0;  // in FieldColumn::values
  std::uint32_t count = 0;

  bool operator==(const FieldCell&) const = default;
};

// The values of one field in records of one type.
struct FieldColumn {
  std::uint32_t type = 0;
  std::string name{};
  bool answerable = true;
  std::vector<std::string> values{};
  std::vector<std::vector<FieldCell>> blocks{};  // as SegmentIndex::blocks

  bool operator==(const FieldColumn&) const = default;
};

struct FieldIndex {
  SourceKey key{};
  std::vector<std::uint32_t> opaque_types{};  // none of their fields is answerable
  std::vector<FieldColumn> columns{};
};

// IndexBuilder: makes the index of a segment while a pass reads it, record by record.
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
