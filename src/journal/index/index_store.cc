// SPDX-License-Identifier: Apache-2.0
#include "journal/index/index_store.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "os/file/staged_file.h"

namespace holdfast::journal {
namespace {

using os::operator""_name;

constexpr os::NameLiteral kIndexDir = "index"_name;
constexpr std::size_t kSampleBytes = 96;  // more than the end of a record with its hash
constexpr std::string_view kCounts = ".idx";
constexpr std::string_view kFields = ".fields";

struct IndexName {
  std::uint64_t first_seq = 0;
  std::uint64_t records = 0;
};

std::string index_name(const IndexName& name, std::string_view suffix) {
  std::string segment = segment_name({.first_seq = name.first_seq}).str();
  segment.resize(segment.find('.'));
  return segment + "-" + std::to_string(name.records) + std::string(suffix);
}

// Only what index_name writes.
std::optional<IndexName> parse_index_name(std::string_view text) {
  for (const std::string_view suffix : {kCounts, kFields}) {
    if (!text.ends_with(suffix)) continue;
    const std::size_t dash = text.rfind('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto segment = parse_segment_name(std::string(text.substr(0, dash)) + ".jsonl");
    if (!segment) return std::nullopt;
    IndexName name{.first_seq = segment->first_seq};
    const std::string_view digits = text.substr(dash + 1, text.size() - dash - 1 - suffix.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), name.records);
    return index_name(name, suffix) == text ? std::optional(name) : std::nullopt;
  }
  return std::nullopt;
}

struct Samples {
  std::string front;
  std::string tail;
};

// The bytes of the file that stand in a key: at its front, and before `end`.
Result<Samples> sample(const os::File& file, std::uint64_t end) {
  const std::uint64_t size = std::min<std::uint64_t>(kSampleBytes, end);
  Samples samples;
  samples.front = HF_TRY(file.read_at(0, size));
  samples.tail = HF_TRY(file.read_at(end - size, size));
  return samples;
}

}  // namespace

IndexStore::IndexStore(const Snapshot& snapshot) : snapshot_(snapshot) {
  Result<os::Dir> dir = snapshot.dir().open_dir(kIndexDir);
  if (!dir) return;
  dir_ = *std::move(dir);
  // An unreadable directory is an empty one.
  static_cast<void>(dir_->each_entry([&](std::string_view name, os::FileType) {
    if (const auto index = parse_index_name(name)) {
      std::uint64_t& records = known_[index->first_seq];
      records = std::max(records, index->records);
    }
    return os::Visit::kContinue;
  }));
}

std::optional<std::string> IndexStore::read(const std::string& name) const {
  if (!dir_) return std::nullopt;
  Result<std::optional<os::File>> file =
      dir_->open_file(os::SafeName::make(name).value(), os::Access::kRead);
  if (!file || !*file) return std::nullopt;
  Result<std::string> bytes = (*file)->read_all(kMaxIndexBytes);
  if (!bytes) return std::nullopt;
  return *std::move(bytes);
}

bool IndexStore::fits(const SegmentFile& segment, const SourceKey& key) const {
  if (key.first_seq != segment.ref.first_seq || key.compressed != segment.ref.compressed ||
      key.journal != snapshot_.journal_id() || (!segment.live && !key.complete)) {
    return false;
  }
  Result<std::optional<os::File>> file =
      snapshot_.dir().open_file(segment_name(segment.ref), os::Access::kRead);
  if (!file || !*file) return false;
  if (key.complete) {
    const Result<os::FileInfo> info = (*file)->info();
    if (!info || info->size != key.file_bytes || segment.size != key.file_bytes ||
        info->modified.time_since_epoch().count() != key.modified_ns) {
      return false;
    }
  }
  const std::uint64_t end = key.compressed ? key.file_bytes : key.covered;
  if (end > segment.size) return false;
  const Result<Samples> samples = sample(**file, end);
  return samples && samples->front == key.front && samples->tail == key.tail;
}

std::optional<SegmentIndex> IndexStore::load(const SegmentFile& segment) const {
  const auto known = known_.find(segment.ref.first_seq);
  if (known == known_.end()) return std::nullopt;
  const auto bytes =
      read(index_name({.first_seq = known->first, .records = known->second}, kCounts));
  std::optional<SegmentIndex> index = bytes ? decode_index(*bytes) : std::nullopt;
  if (!index || index->key.records != known->second || !fits(segment, index->key)) {
    return std::nullopt;
  }
  index->facts.file = segment;
  return index;
}

std::optional<FieldIndex> IndexStore::load_field(const SegmentIndex& index,
                                                 std::string_view field) const {
  const auto bytes =
      read(index_name({.first_seq = index.key.first_seq, .records = index.key.records}, kFields));
  std::optional<FieldIndex> fields = bytes ? decode_fields(*bytes, field) : std::nullopt;
  if (!fields || fields->key != index.key) return std::nullopt;
  for (const FieldColumn& column : fields->columns) {
    if (column.answerable && column.blocks.size() != index.blocks.size()) return std::nullopt;
  }
  return fields;
}

bool IndexStore::complete_key(const SegmentFile& segment, IndexBuilder::Built& built) const {
  SourceKey& key = built.index.key;
  Result<std::optional<os::File>> file =
      snapshot_.dir().open_file(segment_name(segment.ref), os::Access::kRead);
  if (!file || !*file) return false;
  if (key.complete) {
    const Result<os::FileInfo> info = (*file)->info();
    if (!info || info->size != segment.size) return false;
    key.file_bytes = info->size;
    key.modified_ns = info->modified.time_since_epoch().count();
  }
  Result<Samples> samples = sample(**file, key.compressed ? key.file_bytes : key.covered);
  if (!samples) return false;
  key.front = std::move(samples->front);
  key.tail = std::move(samples->tail);
  if (built.fields) built.fields->key = key;
  return true;
}

Result<> IndexStore::open_for_writing() {
  if (write_dir_) return {};
  HF_TRY(snapshot_.dir().make_dir(kIndexDir, 0700));
  write_dir_ = HF_TRY(snapshot_.dir().open_dir(kIndexDir));
  return {};
}

Result<> IndexStore::write(const std::string& name, const std::string& bytes) {
  HF_TRY(open_for_writing());
  const os::SafeName safe = os::SafeName::make(name).value();
  os::StagedFile staged = HF_TRY(os::StagedFile::create(*write_dir_, 0600));
  HF_TRY(staged.write_all(bytes));
  HF_TRY(write_dir_->remove_file(safe));  // whatever it was, it was of no use
  // One that is torn does not check and is made again: the records alone are the truth.
  HF_TRY(staged.give_name(safe));
  return {};
}

void IndexStore::remove_others(std::uint64_t first_seq, std::uint64_t records) {
  std::vector<std::string> old;
  static_cast<void>(write_dir_->each_entry([&](std::string_view name, os::FileType) {
    const auto index = parse_index_name(name);
    if (index && index->first_seq == first_seq && index->records != records) old.emplace_back(name);
    return os::Visit::kContinue;
  }));
  for (const std::string& name : old) {
    static_cast<void>(write_dir_->remove_file(os::SafeName::make(name).value()));
  }
}

void IndexStore::save(const SegmentFile& segment, IndexBuilder::Built built) {
  if (!complete_key(segment, built)) return;
  const IndexName name{.first_seq = built.index.key.first_seq, .records = built.index.key.records};
  const std::string counts = encode_index(built.index);
  const std::string fields = built.fields ? encode_fields(*built.fields) : "";
  const std::lock_guard lock(mutex_);
  if (counts.size() > kMaxIndexBytes || fields.size() > kMaxIndexBytes) return;
  Result<> written = write(index_name(name, kCounts), counts);
  if (written && built.fields) written = write(index_name(name, kFields), fields);
  if (!written) {
    note_ = to_sentence(written.error());
    return;
  }
  const auto known = known_.find(name.first_seq);
  if (known != known_.end() && known->second != name.records) {
    remove_others(name.first_seq, name.records);
  }
}

std::string IndexStore::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

}  // namespace holdfast::journal
