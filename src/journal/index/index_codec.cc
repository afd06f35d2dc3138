// SPDX-License-Identifier: Apache-2.0
#include "journal/index/index_store.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "format/text/crc32c.h"

namespace holdfast::journal {
namespace {

constexpr std::string_view kIndexMagic = "hfindex\n";
constexpr std::string_view kFieldsMagic = "hffield\n";
constexpr std::size_t kFrontBytes = 8 + 4 + 8 + 4;  // magic, version, length, checksum

class IndexWriter {
 public:
  IndexWriter& number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
    return *this;
  }
  IndexWriter& signed_number(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return number(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
  }
  IndexWriter& text(std::string_view value) {
    number(value.size());
    out_ += value;
    return *this;
  }
  template <std::size_t N>
  IndexWriter& raw(const std::array<std::uint8_t, N>& bytes) {
    out_.append(reinterpret_cast<const char*>(bytes.data()), N);
    return *this;
  }

  [[nodiscard]] std::string take() { return std::move(out_); }
  [[nodiscard]] std::string framed(std::string_view magic) const {
    std::string out(magic);
    fixed(out, kIndexVersion);
    fixed(out, std::uint64_t{out_.size()});
    fixed(out, crc32c(out_, crc32c(out)));
    return out + out_;
  }

 private:
  template <typename Number>
  static void fixed(std::string& out, Number value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
      out += static_cast<char>(value >> (8 * i) & 0xff);
    }
  }

  std::string out_;
};

// Once something does not fit, everything read is empty and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (left_.empty()) break;
      const auto byte = static_cast<std::uint8_t>(left_.front());
      left_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    return bad();
  }
  std::uint32_t number32() {
    const std::uint64_t value = number();
    return value <= ~std::uint32_t{0} ? static_cast<std::uint32_t>(value)
                                      : static_cast<std::uint32_t>(bad());
  }
  std::int64_t signed_number() {
    const std::uint64_t bits = number();
    return static_cast<std::int64_t>(bits >> 1 ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
  }
  bool flag() { return number() != 0; }
  std::string_view view() {
    const std::uint64_t size = number();
    if (size > left_.size()) {
      bad();
      return {};
    }
    const std::string_view value = left_.substr(0, size);
    left_.remove_prefix(size);
    return value;
  }
  std::string text() { return std::string(view()); }
  template <std::size_t N>
  void raw(std::array<std::uint8_t, N>& bytes) {
    if (left_.size() < N) {
      bad();
      return;
    }
    std::memcpy(bytes.data(), left_.data(), N);
    left_.remove_prefix(N);
  }
  // A number of things that each take at least one byte, so that memory is bounded by the file.
  std::size_t count() {
    const std::uint64_t value = number();
    return value <= left_.size() ? value : bad();
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool whole() const { return ok_ && left_.empty(); }

 private:
  std::uint64_t bad() {
    ok_ = false;
    left_ = {};
    return 0;
  }

  std::string_view left_;
  bool ok_ = true;
};

std::optional<std::string_view> unframed(std::string_view bytes, std::string_view magic) {
  if (bytes.size() < kFrontBytes || !bytes.starts_with(magic)) return std::nullopt;
  const auto fixed = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    }
    return value;
  };
  const std::string_view body = bytes.substr(kFrontBytes);
  if (fixed(8, 4) != kIndexVersion || fixed(12, 8) != body.size()) return std::nullopt;
  if (fixed(20, 4) != crc32c(body, crc32c(bytes.substr(0, 20)))) return std::nullopt;
  return body;
}

void write_key(const SourceKey& key, IndexWriter& out) {
  out.raw(key.journal.bytes).number(key.first_seq).number(key.compressed ? 1 : 0);
  out.number(key.complete ? 1 : 0).number(key.file_bytes).signed_number(key.modified_ns);
  out.number(key.covered).number(key.records).text(key.front).text(key.tail);
}

SourceKey read_key(Reader& in) {
  SourceKey key;
  in.raw(key.journal.bytes);
  key.first_seq = in.number();
  key.compressed = in.flag();
  key.complete = in.flag();
  key.file_bytes = in.number();
  key.modified_ns = in.signed_number();
  key.covered = in.number();
  key.records = in.number();
  key.front = in.text();
  key.tail = in.text();
  return key;
}

void write_facts(const SegmentFacts& facts, IndexWriter& out) {
  out.number(facts.first_seq).number(facts.last_seq).raw(facts.head.bytes);
  out.number(facts.sealed ? 1 : 0);
  out.text(facts.opened ? encode(*facts.opened).json() : "");
  out.number(facts.notes.size());
  for (const Note& note : facts.notes) out.number(note.seq).text(note.type).text(note.data);
}

SegmentFacts read_facts(const SourceKey& key, Reader& in) {
  SegmentFacts facts;
  facts.records = key.records;
  facts.text_bytes = key.covered;
  facts.first_seq = in.number();
  facts.last_seq = in.number();
  in.raw(facts.head.bytes);
  facts.sealed = in.flag();
  if (const std::string opened = in.text(); !opened.empty()) {
    if (auto decoded = decode_segment_opened(opened, "index")) facts.opened = *std::move(decoded);
  }
  for (std::size_t left = in.count(); left > 0; --left) {
    Note note{.seq = in.number(), .type = {}, .data = {}};
    note.type = in.text();
    note.data = in.text();
    facts.notes.push_back(std::move(note));
  }
  return facts;
}

IndexBlock read_block(Reader& in, std::size_t types) {
  IndexBlock block;
  block.end = in.number();
  block.records = in.number32();
  block.min_us = in.signed_number();
  block.max_us = in.signed_number();
  std::int64_t hour = 0;
  for (std::size_t left = in.count(); left > 0 && in.ok(); --left) {
    IndexCell cell;
    cell.hour = hour += in.signed_number();
    cell.type = in.number32();
    if (cell.type >= types) return {};
    cell.event_class = static_cast<EventClass>(std::min<std::uint32_t>(in.number32(), 2));
    cell.count = in.number32();
    block.cells.push_back(cell);
  }
  return block;
}

std::string column_body(const FieldColumn& column) {
  IndexWriter out;
  out.number(column.answerable ? 1 : 0).number(column.values.size());
  for (const std::string& value : column.values) out.text(value);
  out.number(column.blocks.size());
  for (const auto& cells : column.blocks) {
    out.number(cells.size());
    for (const FieldCell& cell : cells) out.number(cell.value).number(cell.count);
  }
  return out.take();
}

bool read_column(std::string_view bytes, FieldColumn& column) {
  Reader in(bytes);
  column.answerable = in.flag();
  for (std::size_t left = in.count(); left > 0; --left) column.values.push_back(in.text());
  for (std::size_t left = in.count(); left > 0; --left) {
    std::vector<FieldCell>& cells = column.blocks.emplace_back();
    for (std::size_t more = in.count(); more > 0; --more) {
      FieldCell cell{.value = in.number32()};
      cell.count = in.number32();
      if (cell.value >= column.values.size()) return false;
      cells.push_back(cell);
    }
  }
  return in.whole();
}

}  // namespace

std::string encode_index(const SegmentIndex& index) {
  IndexWriter out;
  write_key(index.key, out);
  write_facts(index.facts, out);
  out.number(index.types.size());
  for (const std::string& type : index.types) out.text(type);
  out.number(index.blocks.size());
  for (const IndexBlock& block : index.blocks) {
    out.number(block.end).number(block.records);
    out.signed_number(block.min_us).signed_number(block.max_us).number(block.cells.size());
    std::int64_t hour = 0;
    for (const IndexCell& cell : block.cells) {
      out.signed_number(cell.hour - hour).number(cell.type);
      out.number(static_cast<std::uint64_t>(cell.event_class)).number(cell.count);
      hour = cell.hour;
    }
  }
  return out.framed(kIndexMagic);
}

std::optional<SegmentIndex> decode_index(std::string_view bytes) {
  const auto body = unframed(bytes, kIndexMagic);
  if (!body) return std::nullopt;
  Reader in(*body);
  SegmentIndex index;
  index.key = read_key(in);
  index.facts = read_facts(index.key, in);
  for (std::size_t left = in.count(); left > 0; --left) index.types.push_back(in.text());
  for (std::size_t left = in.count(); left > 0; --left) {
    index.blocks.push_back(read_block(in, index.types.size()));
  }
  if (!in.whole() || !index.facts.opened) return std::nullopt;
  return index;
}

std::string encode_fields(const FieldIndex& fields) {
  IndexWriter out;
  write_key(fields.key, out);
  out.number(fields.opaque_types.size());
  for (const std::uint32_t type : fields.opaque_types) out.number(type);
  out.number(fields.columns.size());
  for (const FieldColumn& column : fields.columns) {
    out.number(column.type).text(column.name).text(column_body(column));
  }
  return out.framed(kFieldsMagic);
}

std::optional<FieldIndex> decode_fields(std::string_view bytes, std::string_view field) {
  const auto body = unframed(bytes, kFieldsMagic);
  if (!body) return std::nullopt;
  Reader in(*body);
  FieldIndex fields;
  fields.key = read_key(in);
  for (std::size_t left = in.count(); left > 0; --left) {
    fields.opaque_types.push_back(in.number32());
  }
  for (std::size_t left = in.count(); left > 0; --left) {
    FieldColumn column{.type = in.number32()};
    column.name = in.text();
    const std::string_view column_bytes = in.view();
    if (column.name != field) continue;
    if (!read_column(column_bytes, column)) return std::nullopt;
    fields.columns.push_back(std::move(column));
  }
  if (!in.whole()) return std::nullopt;
  return fields;
}

}  // namespace holdfast::journal
