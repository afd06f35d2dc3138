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
#include <string>
#include <vector>

#include "base/event.h"
#include "base/id128.h"
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

}  // namespace holdfast::journal
