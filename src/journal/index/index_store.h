// SPDX-License-Identifier: Apache-2.0
//
// IndexStore: the files in `index/`. Reading gives an index that fits the segment as it is, or
// nothing. Writing is whole or not at all; it fails without consequence, and the reason is kept for
// a note.
//
// Files are named by how many records they cover, because a StagedFile never replaces; older ones
// of the same segment are removed. Two processes that build at the same time write the same bytes.
//
// Threads: load and save may run at the same time.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "journal/index/index.h"
#include "journal/read/snapshot.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

class IndexStore {
 public:
  // Looks what is there; that nothing is, or that it cannot be read, is not worth an error.
  explicit IndexStore(const Snapshot& snapshot);

  [[nodiscard]] std::optional<SegmentIndex> load(const SegmentFile& segment) const;
  // What belongs to `index` of this field.
  [[nodiscard]] std::optional<FieldIndex> load_field(const SegmentIndex& index,
                                                     std::string_view field) const;

  // Keeps what was built from `segment`, unless the file is no longer the one that was read.
  void save(const SegmentFile& segment, IndexBuilder::Built built);

  // Why something could not be written; empty where all is well.
  [[nodiscard]] std::string note() const;

 private:
  [[nodiscard]] std::optional<std::string> read(const std::string& name) const;
  bool complete_key(const SegmentFile& segment, IndexBuilder::Built& built) const;
  [[nodiscard]] bool fits(const SegmentFile& segment, const SourceKey& key) const;
  Result<> write(const std::string& name, const std::string& bytes);
  Result<> open_for_writing();
  void remove_others(std::uint64_t first_seq, std::uint64_t records);

  const Snapshot& snapshot_;
  std::optional<os::Dir> dir_;  // as it was found; never changed
  std::optional<os::Dir> write_dir_;
  std::map<std::uint64_t, std::uint64_t> known_;  // segment → the most records that an index covers
  mutable std::mutex mutex_;                      // of write_dir_ and note_
  std::string note_;
};

// The bytes of index files: a magic word, the version, the length and CRC-32C of what follows, and
// then numbers as LEB128 and texts with their length. Nothing but exactly that decodes; there is no
// error to tell, because what is not an index is made anew.
std::string encode_index(const SegmentIndex& index);
std::optional<SegmentIndex> decode_index(std::string_view bytes);

std::string encode_fields(const FieldIndex& fields);
// Only the columns of `field`; the others are passed over, which is most of the time it takes.
std::optional<FieldIndex> decode_fields(std::string_view bytes, std::string_view field);

}  // namespace holdfast::journal
