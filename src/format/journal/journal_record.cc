// SPDX-License-Identifier: Apache-2.0
#include "format/journal/journal_record.h"

#include <algorithm>
#include <array>

#include "base/cause.h"
#include "format/text/crc32c.h"
#include "format/text/text_reader.h"
#include "format/text/text_writer.h"

namespace holdfast {
namespace {

constexpr std::string_view kSealSample = R"(,"c":"00000000","h":")";
static_assert(kRecordSealBytes == kSealSample.size() + kDigestBase64Chars + 3);
static_assert(kRecordTailBytes == 6 + kDigestBase64Chars + 3);
constexpr std::size_t kChecksumBytes = kRecordSealBytes - kRecordTailBytes;  // `,"c":"xxxxxxxx"`
constexpr std::size_t kBootDigits = 8;
// What the codec itself writes around boot id, writer, type and data: keys, widest numbers and
// class, checksum.
constexpr std::size_t kMaxFrameBytes =
    std::string_view(R"({"v":1,"n":,"t":,"m":,"b":"","w":"","k":"decision","e":"","d":)").size() +
    3 * TextWriter::kNumberBytes + kChecksumBytes;

enum CharClass : std::uint8_t { kInType = 1, kInWriter = 2, kInBoot = 4 };

constexpr auto kCharClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  const auto add = [&](std::string_view chars, unsigned bits) {
    for (const char c : chars) {
      classes[static_cast<std::uint8_t>(c)] |= static_cast<std::uint8_t>(bits);
    }
  };
  add("0123456789", kInType | kInWriter | kInBoot);
  add("abcdefghijklmnopqrstuvwxyz", kInType | kInWriter);
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZ", kInWriter);
  add("abcdef", kInBoot);
  add("._-", kInType | kInWriter);
  add("~", kInWriter);
  return classes;
}();

// An object and not a function, so that TextReader::run makes no call for each character.
struct IsIn {
  CharClass wanted;
  bool operator()(char c) const {
    return (kCharClasses[static_cast<std::uint8_t>(c)] & wanted) != 0;
  }
};

// The rules beyond "only these characters".
bool is_type_shape(std::string_view type) {
  if (type.empty() || type.size() > kMaxTypeBytes) return false;
  if (type[0] < 'a' || type[0] > 'z' || type.back() == '.') return false;
  for (std::size_t i = 1; i < type.size(); ++i) {
    if (type[i] == '.' && type[i - 1] == '.') return false;
  }
  return true;
}
bool is_writer_shape(std::string_view writer) {
  return !writer.empty() && writer.size() <= kMaxWriterBytes;
}

// Everything behind `{"v":1,`.
bool read_journal_record_fields(TextReader& in, RecordFields& fields) {
  in.literal(R"("n":)");
  fields.seq = in.count();
  in.literal(R"(,"t":)");
  fields.wall_us = in.number();
  in.literal(R"(,"m":)");
  fields.boot_us = in.number();
  in.literal(R"(,"b":")");
  fields.boot = in.run(IsIn{kInBoot});
  in.literal(R"(","w":")");
  fields.writer = in.run(IsIn{kInWriter});
  in.literal(R"(","k":")");
  const auto event_class = parse_event_class(in.run(IsIn{kInType}));
  in.literal(R"(","e":")");
  fields.type = in.run(IsIn{kInType});
  in.literal(R"(","d":)");
  fields.data = in.rest();
  fields.event_class = event_class.value_or(EventClass::kTrace);
  return event_class && fields.boot.size() == kBootDigits && is_writer_shape(fields.writer) &&
         is_type_shape(fields.type) && fields.data.size() >= 2 && fields.data.front() == '{' &&
         fields.data.back() == '}';
}

// Fills `record` where it stands: copying it would cost a third of the time.
std::optional<LineFault> read_journal_record_record(std::string_view line, RecordView& record) {
  if (line.size() >= kMaxRecordBytes) return LineFault::kTooLong;
  constexpr std::size_t kSeal = kRecordSealBytes - 1;  // without the newline
  if (line.size() < kSeal) return LineFault::kNotARecord;
  const std::string_view summed = line.substr(0, line.size() - kSeal);
  record.hashed = line.substr(0, summed.size() + kChecksumBytes);

  TextReader seal(line.substr(summed.size()));
  seal.literal(R"(,"c":")");
  const std::uint32_t crc = seal.checksum();
  seal.literal(R"(","h":")");
  seal.digest(record.hash);
  seal.literal("\"}");

  TextReader in(summed);
  in.literal(R"({"v":)");
  const bool known = in.accept("1,");
  if (!known) {
    const std::uint64_t version = in.count();
    in.literal(",");
    if (version <= static_cast<std::uint64_t>(kRecordVersion)) return LineFault::kNotARecord;
  }
  if (known && !read_journal_record_fields(in, record.fields)) return LineFault::kNotARecord;
  if (!seal.ok() || !in.ok()) return LineFault::kNotARecord;
  if (crc32c(summed) != crc) return LineFault::kChecksum;
  if (!known) return LineFault::kNewerVersion;
  return std::nullopt;
}

}  // namespace

std::string_view to_text(LineFault fault) {
  constexpr std::array<std::string_view, 4> kNames{"not-a-record", "checksum", cause::kNewerVersion,
                                                   "too-long"};
  return kNames[static_cast<std::size_t>(fault)];
}

bool is_event_type_spelling(std::string_view text) {
  return is_type_shape(text) && std::ranges::all_of(text, IsIn{kInType});
}

bool is_writer_spelling(std::string_view text) {
  return is_writer_shape(text) && std::ranges::all_of(text, IsIn{kInWriter});
}

void encode_record_body(const RecordFields& fields, std::string& out) {
  const std::size_t start = out.size();
  const std::size_t most = kMaxFrameBytes + fields.boot.size() + fields.writer.size() +
                           fields.type.size() + fields.data.size();
  // Room for the tail too, which comes next.
  out.resize_and_overwrite(start + most + kRecordTailBytes, [&](char* bytes, std::size_t) {
    char* const line = bytes + start;
    TextWriter writer(line);
    writer.text(R"({"v":1,"n":)").number(fields.seq);
    writer.text(R"(,"t":)").number(fields.wall_us);
    writer.text(R"(,"m":)").number(fields.boot_us);
    writer.text(R"(,"b":")").text(fields.boot);
    writer.text(R"(","w":")").text(fields.writer);
    writer.text(R"(","k":")").text(to_text(fields.event_class));
    writer.text(R"(","e":")").text(fields.type);
    writer.text(R"(","d":)").text(fields.data);
    const std::uint32_t crc = crc32c({line, writer.at()});
    writer.text(R"(,"c":")").checksum(crc).text("\"");
    return static_cast<std::size_t>(writer.at() - bytes);
  });
}

void encode_record_tail(const Digest& hash, std::string& out) {
  std::array<char, kRecordTailBytes> tail;
  TextWriter(tail.data()).text(R"(,"h":")").digest(hash).text("\"}\n");
  out.append(tail.data(), tail.size());
}

std::expected<RecordView, LineFault> decode_record(std::string_view line) {
  std::expected<RecordView, LineFault> record;
  if (const auto fault = read_journal_record_record(line, *record))
    record = std::unexpected(*fault);
  return record;
}

std::optional<Digest> decode_record_tail(std::string_view tail) {
  TextReader in(tail);
  in.literal(R"(,"h":")");
  Digest hash;
  in.digest(hash);
  in.literal("\"}\n");
  if (!in.ok() || tail.size() != kRecordTailBytes) return std::nullopt;
  return hash;
}

}  // namespace holdfast
