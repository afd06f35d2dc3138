// SPDX-License-Identifier: Apache-2.0
#include "journal/write/state_file.h"

#include "os/file/staged_file.h"

namespace holdfast::journal {
namespace {

using os::operator""_name;

constexpr os::NameLiteral kStateFileName = "state"_name;

using Bytes = std::array<char, kPoisonSlot + kStateSlotBytes>;

std::string_view slot_of(std::string_view text, std::size_t offset) {
  return offset < text.size() ? text.substr(offset, kStateSlotBytes) : std::string_view();
}

// Whatever the boot: what was poisoned stays so.
std::uint64_t poisoned_of(std::string_view text) {
  return decode_poison_note(slot_of(text, kPoisonSlot)).value_or(PoisonNote{}).segment;
}

bool is_spilled(std::string_view text) {
  return text.size() > kSpillFlag && text[kSpillFlag] == '1';
}

}  // namespace

Result<std::optional<StateFile>> StateFile::open_existing(const os::Dir& dir) {
  std::optional<os::File> file = HF_TRY(dir.open_file(kStateFileName, os::Access::kReadWrite));
  if (!file) return std::nullopt;
  const os::FileInfo info = HF_TRY(file->info());
  return StateFile(*std::move(file), info.id);
}

Result<StateFile> StateFile::open(const os::Dir& dir) {
  if (std::optional<StateFile> found = HF_TRY(open_existing(dir))) {
    // Whoever emptied it took the notes; the space must be there again before the disk is full.
    const os::FileInfo info = HF_TRY(found->file_.info());
    if (info.size < kStateBytes) {
      HF_TRY(found->file_.write_at(info.size, std::string(kStateBytes - info.size, ' ')));
    }
    return *std::move(found);
  }
  os::StagedFile staged = HF_TRY(os::StagedFile::create(dir, 0600));
  HF_TRY(staged.write_all(std::string(kStateBytes, ' ')));
  // Notes that are not there are blank notes: open() fills it up, and nothing rests on them alone.
  HF_TRY(staged.give_name(kStateFileName));
  std::optional<StateFile> made = HF_TRY(open_existing(dir));
  if (!made) {
    return fail({.code = ErrorCode::kIo,
                 .op = "open",
                 .subject = dir.path_of(kStateFileName),
                 .cause = "state-vanished",
                 .detail = "somebody removed it a moment after it was made"});
  }
  return *std::move(made);
}

Result<bool> StateFile::is_named(const os::Dir& dir) const {
  const auto named = HF_TRY(dir.info(kStateFileName));
  return named && named->id == id_;
}

Result<StateFile::Notes> StateFile::read() const {
  Bytes bytes{};
  const std::string_view text(bytes.data(), HF_TRY(file_.read_into(0, bytes)));
  const auto slot = [&](std::size_t offset) { return slot_of(text, offset); };
  return Notes{.head_slot = std::string(slot(kHeadSlot)),
               .head = decode_head_note(slot(kHeadSlot)),
               .sync = decode_sync_note(slot(kSyncSlot)),
               .poisoned = poisoned_of(text),
               .drop = decode_drop_note(slot(kDropSlot)).value_or(DropNote{}),
               .spilled = is_spilled(text)};
}

Result<StateFile::Glance> StateFile::glance(std::string_view slot) const {
  Bytes bytes{};
  const std::string_view text(bytes.data(), HF_TRY(file_.read_once(0, bytes)));
  const std::string_view now = slot_of(text, kHeadSlot);
  Glance glance;
  if (now != slot || slot.empty()) {
    glance.changed = Glance::Changed{.slot = std::string(now), .note = decode_head_note(now)};
  }
  // These two are blank as long as nothing bad ever happened.
  if (!slot_of(text, kPoisonSlot).starts_with(' ')) glance.poisoned = poisoned_of(text);
  if (const std::string_view drop = slot_of(text, kDropSlot); !drop.starts_with(' ')) {
    glance.full = decode_drop_note(drop).value_or(DropNote{}).full;
  }
  glance.spilled = is_spilled(text);
  return glance;
}

Result<std::string> StateFile::write(const HeadNote& note) {
  std::string slot = encode_note(note);
  HF_TRY(file_.write_at(kHeadSlot, slot));
  return slot;
}

Result<> StateFile::write(const SyncNote& note) {
  return file_.write_at(kSyncSlot, encode_note(note));
}

Result<> StateFile::write(const DropNote& note) {
  return file_.write_at(kDropSlot, encode_note(note));
}

Result<> StateFile::write(const PoisonNote& note) {
  return file_.write_at(kPoisonSlot, encode_note(note));
}

Result<> StateFile::set_spilled(bool spilled) {
  return file_.write_at(kSpillFlag, spilled ? "1" : " ");
}

}  // namespace holdfast::journal
