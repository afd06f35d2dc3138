// SPDX-License-Identifier: Apache-2.0
#include "journal/write/journal_builder.h"

#include <cstdlib>
#include <map>

#include "format/journal/journal_record.h"
#include "format/text/crc32c.h"
#include "journal/store/chain.h"
#include "journal/store/layout.h"

namespace holdfast::journal {
namespace {

// A test that cannot make its files has nothing to say.
template <typename T>
T must(Result<T> result) {
  if (!result) std::abort();  // lint: no_output only tests link this
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

SegmentSealed summary(std::string_view text) {
  SegmentSealed seal;
  MerkleRoot root;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const auto record = decode_record(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (!record) continue;
    if (seal.records++ == 0) seal.seqs.first = record->fields.seq;
    seal.seqs.last = record->fields.seq;
    seal.head = record->hash;
    root.add(record->hash);
    ++seal.counts[std::string(record->fields.type)];
  }
  seal.root = root.root();
  return seal;
}

}  // namespace

Id128 JournalBuilder::default_id() {
  return parse_id128("000102030405060708090a0b0c0d0e0f").value();
}

JournalBuilder::JournalBuilder(const Id128& id) : id_(id) { open(/*first=*/true); }

void JournalBuilder::open(bool first) {
  SegmentOpened opened{.journal = id_,
                       .number = segments_.size() + 1,
                       .previous = std::nullopt,
                       .boot = id_,
                       .host = "test"};
  if (!first) {
    opened.previous = SegmentOpened::Previous{
        .head = head_, .last_seq = next_seq_ - 1, .bytes = segments_.back().text.size()};
  }
  segments_.push_back({.first_seq = next_seq_, .text = {}});
  write(SegmentOpened::kType, encode(opened).json());
}

void JournalBuilder::write(std::string_view type, std::string_view data) {
  std::string line;
  encode_record_body({.seq = next_seq_,
                      .wall_us = wall_us_,
                      .boot_us = boot_us_,
                      .boot = "0f3c9a12",
                      .writer = writer_,
                      .event_class = class_,
                      .type = type,
                      .data = data},
                     line);
  before_head_ = head_;
  head_ = chain_hash(id_, head_, line);
  encode_record_tail(head_, line);
  segments_.back().text += line;
  ++next_seq_;
  wall_us_ += step_us_;
  boot_us_ += 1000;
}

JournalBuilder& JournalBuilder::append(std::string_view type, std::string_view data) {
  write(type, data);
  return *this;
}

JournalBuilder& JournalBuilder::append(std::string_view type, const EventData& data) {
  return append(type, data.json());
}

JournalBuilder& JournalBuilder::append(std::size_t count, std::string_view type,
                                       std::string_view data) {
  for (std::size_t i = 0; i < count; ++i) write(type, data);
  return *this;
}

JournalBuilder& JournalBuilder::seal() {
  write(SegmentSealed::kType, encode(summary(segments_.back().text)).json());
  return *this;
}

JournalBuilder& JournalBuilder::next_segment() {
  seal();
  return next_segment_without_seal();
}

JournalBuilder& JournalBuilder::next_segment_without_seal() {
  open(/*first=*/false);
  return *this;
}

JournalBuilder& JournalBuilder::skip(std::uint64_t numbers) {
  next_seq_ += numbers;
  return *this;
}

JournalBuilder& JournalBuilder::at(std::int64_t wall_us) {
  wall_us_ = wall_us;
  return *this;
}

std::size_t JournalBuilder::line(std::size_t segment, std::size_t line) const {
  std::size_t offset = 0;
  for (; line > 0; --line) offset = segments_[segment].text.find('\n', offset) + 1;
  return offset;
}

JournalBuilder& JournalBuilder::fork() {
  head_ = before_head_;
  --next_seq_;
  return *this;
}

JournalBuilder& JournalBuilder::append_newer() {
  std::string body;
  encode_record_body({.seq = next_seq_,
                      .wall_us = wall_us_,
                      .boot_us = boot_us_,
                      .boot = "0f3c9a12",
                      .writer = writer_,
                      .type = "x.newer",
                      .data = "{}"},
                     body);
  constexpr std::size_t kChecksum = kRecordSealBytes - kRecordTailBytes;
  body.resize(body.size() - kChecksum);
  body.replace(0, 7, R"({"v":2,)");
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::uint32_t crc = crc32c(body);
  body += R"(,"c":")";
  for (int shift = 28; shift >= 0; shift -= 4) body += kHex[crc >> shift & 15];
  body += '"';
  head_ = chain_hash(id_, head_, body);
  encode_record_tail(head_, body);
  segments_.back().text += body;
  ++next_seq_;
  return *this;
}

void JournalBuilder::save(const os::Dir& dir) const {
  for (const Segment& segment : segments_) {
    put_file(dir, segment_name({.first_seq = segment.first_seq}).str(), segment.text);
  }
}

void put_file(const os::Dir& dir, std::string_view name, std::string_view bytes) {
  const os::SafeName safe = must(os::SafeName::make(name));
  must(dir.remove_file(safe));
  std::optional<os::File> file = must(dir.create_file(safe, 0600));
  if (!file) std::abort();  // lint: no_output only tests link this
  must(file->write_all(bytes));
}

}  // namespace holdfast::journal
