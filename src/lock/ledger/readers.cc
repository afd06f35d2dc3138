// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/readers.h"

#include <array>
#include <string>

#include "lock/grant/identity.h"
#include "lock/ledger/layout.h"
#include "os/lock/byte_lock.h"
#include "proc/identity/verdict.h"

namespace holdfast::lock {
namespace {

std::uint64_t readers_offset_of(std::size_t slot) { return kReaderOffset + slot * kReaderBytes; }

// Only where there is no other room: judging costs a look at each process.
Result<> clear_the_dead(Ledger& ledger, const Guard& guard, const std::vector<Reader>& readers,
                        std::array<bool, kReaderSlots>& filled) {
  for (const Reader& reader : readers) {
    if (reader.alive || proc::judge(from_record(reader.facts.work)).life != proc::Life::kDead)
      continue;
    HF_TRY(clear_reader_slot(ledger, guard, reader.slot));
    filled[reader.slot] = false;
  }
  return {};
}

// Of a shared hold that is over: a filled slot would be a reader of the next one.
Result<> clear_the_past(Ledger& ledger, const Guard& guard) {
  std::string bytes(kReaderSlots * kReaderBytes, '\0');
  const std::size_t got = HF_TRY(ledger.file().read_into(kReaderOffset, bytes));
  if (std::string_view(bytes).substr(0, got).find_first_not_of('\0') == std::string_view::npos)
    return {};
  return clear_all_reader_slots(ledger, guard);
}

}  // namespace

Result<std::vector<Reader>> list_readers(const Ledger& ledger) {
  std::string bytes(kReaderSlots * kReaderBytes, '\0');
  const std::size_t got = HF_TRY(ledger.file().read_into(kReaderOffset, bytes));
  std::vector<Reader> readers;
  for (std::size_t slot = 0; slot * kReaderBytes < got; ++slot) {
    auto facts = HF_TRY(
        decode_reader_slot(std::string_view(bytes).substr(slot * kReaderBytes, kReaderBytes)));
    if (!facts || facts->token == Id128{}) continue;
    const bool alive =
        HF_TRY(os::is_byte_taken(ledger.file(), reader_byte(slot), os::Share::kExclusive));
    readers.push_back({.slot = slot, .facts = std::move(*facts), .alive = alive});
  }
  return readers;
}

Result<std::optional<std::size_t>> take_reader_slot(Ledger& ledger, const Guard& guard,
                                                    const ReaderSlot& facts, bool held) {
  std::array<bool, kReaderSlots> filled{};
  std::vector<Reader> readers;
  if (held) {
    readers = HF_TRY(list_readers(ledger));
  } else {
    HF_TRY(clear_the_past(ledger, guard));
  }
  for (const Reader& reader : readers) filled[reader.slot] = true;
  if (readers.size() == kReaderSlots) HF_TRY(clear_the_dead(ledger, guard, readers, filled));
  for (std::size_t slot = 0; slot < kReaderSlots; ++slot) {
    if (filled[slot]) continue;
    if (!HF_TRY(os::try_lock_byte(ledger.file(), reader_byte(slot), os::Share::kExclusive)))
      continue;
    if (auto written = rewrite_reader_slot(ledger, guard, slot, facts); !written) {
      const auto cleared = clear_reader_slot(ledger, guard, slot);
      static_cast<void>(cleared);  // the first error is the one to tell
      return fail(written.error());
    }
    return slot;
  }
  return std::nullopt;
}

Result<> rewrite_reader_slot(Ledger& ledger, const Guard& /*guard*/, std::size_t slot,
                             const ReaderSlot& facts) {
  std::array<char, kReaderBytes> bytes{};
  encode(facts, bytes.data());
  return ledger.file().write_at(readers_offset_of(slot), {bytes.data(), bytes.size()});
}

Result<> clear_reader_slot(Ledger& ledger, const Guard& /*guard*/, std::size_t slot) {
  const std::array<char, kReaderBytes> zeros{};
  auto written = ledger.file().write_at(readers_offset_of(slot), {zeros.data(), zeros.size()});
  HF_TRY(os::unlock_byte(ledger.file(), reader_byte(slot)));
  return written;
}

Result<> clear_all_reader_slots(Ledger& ledger, const Guard& /*guard*/) {
  return ledger.file().write_at(kReaderOffset, std::string(kReaderSlots * kReaderBytes, '\0'));
}

}  // namespace holdfast::lock
