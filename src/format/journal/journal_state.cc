// SPDX-License-Identifier: Apache-2.0
#include "format/journal/journal_state.h"

#include "format/text/crc32c.h"
#include "format/text/text_reader.h"
#include "format/text/text_writer.h"

namespace holdfast {
namespace {

// The longest note, with every number at its widest, leaves room for the seal.
constexpr std::size_t kLongestNote =
    std::string_view(R"({"v":1,"boot":"","segment":,"size":,"seq":,"head":"")").size() + 32 +
    kDigestBase64Chars + 3 * TextWriter::kNumberBytes;
static_assert(kLongestNote + std::string_view(",\"c\":\"00000000\"}\n").size() <= kStateSlotBytes);

// Checksum and newline; the padding is there.
void seal(std::string& slot, TextWriter writer) {
  const std::uint32_t crc = crc32c({slot.data(), writer.at()});
  writer.text(R"(,"c":")").checksum(crc).text("\"}");
  slot.back() = '\n';
}

// Is `in`, behind the last field, at a right seal?
bool is_sealed(std::string_view slot, TextReader& in) {
  if (!in.ok()) return false;
  const auto summed = slot.substr(0, static_cast<std::size_t>(in.at() - slot.data()));
  in.literal(R"(,"c":")");
  const std::uint32_t crc = in.checksum();
  in.literal("\"}");
  in.run([](char c) { return c == ' '; });
  in.literal("\n");
  return in.ok() && in.rest().empty() && slot.size() == kStateSlotBytes && crc32c(summed) == crc;
}

}  // namespace

std::string encode_note(const HeadNote& note) {
  std::string slot(kStateSlotBytes, ' ');
  TextWriter writer(slot.data());
  writer.text(R"({"v":1,"boot":")").id(note.boot);
  writer.text(R"(","segment":)").number(note.segment);
  writer.text(R"(,"size":)").number(note.size);
  writer.text(R"(,"seq":)").number(note.seq);
  writer.text(R"(,"head":")").digest(note.head);
  writer.text("\"");
  seal(slot, writer);
  return slot;
}

std::optional<HeadNote> decode_head_note(std::string_view slot) {
  TextReader in(slot);
  HeadNote note;
  in.literal(R"({"v":1,"boot":")");
  note.boot = in.id();
  in.literal(R"(","segment":)");
  note.segment = in.count();
  in.literal(R"(,"size":)");
  note.size = in.count();
  in.literal(R"(,"seq":)");
  note.seq = in.count();
  in.literal(R"(,"head":")");
  in.digest(note.head);
  in.literal("\"");
  constexpr std::uint64_t kMost = std::uint64_t{1}
                                  << 62;  // far beyond any journal, and safe to add to
  const bool can_be =
      note.segment >= 1 && note.seq >= note.segment && note.seq < kMost && note.size < kMost;
  return is_sealed(slot, in) && can_be ? std::optional(note) : std::nullopt;
}

std::string encode_note(const SyncNote& note) {
  std::string slot(kStateSlotBytes, ' ');
  TextWriter writer(slot.data());
  writer.text(R"({"v":1,"boot":")").id(note.boot);
  writer.text(R"(","segment":)").number(note.segment);
  writer.text(R"(,"size":)").number(note.size);
  writer.text(R"(,"seq":)").number(note.seq);
  seal(slot, writer);
  return slot;
}

std::optional<SyncNote> decode_sync_note(std::string_view slot) {
  TextReader in(slot);
  SyncNote note;
  in.literal(R"({"v":1,"boot":")");
  note.boot = in.id();
  in.literal(R"(","segment":)");
  note.segment = in.count();
  in.literal(R"(,"size":)");
  note.size = in.count();
  in.literal(R"(,"seq":)");
  note.seq = in.count();
  return is_sealed(slot, in) ? std::optional(note) : std::nullopt;
}

std::string encode_note(const DropNote& note) {
  std::string slot(kStateSlotBytes, ' ');
  TextWriter writer(slot.data());
  writer.text(R"({"v":1,"full":)").flag(note.full);
  writer.text(R"(,"dropped_trace":)").number(note.dropped_trace);
  writer.text(R"(,"dropped_event":)").number(note.dropped_event);
  writer.text(R"(,"since_us":)").number(note.since_us);
  writer.text(R"(,"reported_seq":)").number(note.reported_seq);
  seal(slot, writer);
  return slot;
}

std::optional<DropNote> decode_drop_note(std::string_view slot) {
  TextReader in(slot);
  DropNote note;
  in.literal(R"({"v":1,"full":)");
  note.full = in.flag();
  in.literal(R"(,"dropped_trace":)");
  note.dropped_trace = in.count();
  in.literal(R"(,"dropped_event":)");
  note.dropped_event = in.count();
  in.literal(R"(,"since_us":)");
  note.since_us = in.number();
  in.literal(R"(,"reported_seq":)");
  note.reported_seq = in.count();
  return is_sealed(slot, in) ? std::optional(note) : std::nullopt;
}

std::string encode_note(const PoisonNote& note) {
  std::string slot(kStateSlotBytes, ' ');
  TextWriter writer(slot.data());
  writer.text(R"({"v":1,"boot":")").id(note.boot);
  writer.text(R"(","poisoned":)").number(note.segment);
  seal(slot, writer);
  return slot;
}

std::optional<PoisonNote> decode_poison_note(std::string_view slot) {
  TextReader in(slot);
  PoisonNote note;
  in.literal(R"({"v":1,"boot":")");
  note.boot = in.id();
  in.literal(R"(","poisoned":)");
  note.segment = in.count();
  return is_sealed(slot, in) ? std::optional(note) : std::nullopt;
}

}  // namespace holdfast
