// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/waiters.h"

#include <array>
#include <string>

#include "lock/ledger/layout.h"
#include "os/lock/byte_lock.h"

namespace holdfast::lock {
namespace {

std::uint64_t waiters_offset_of(std::size_t slot) { return kWaiterOffset + slot * kWaiterBytes; }

}  // namespace

WaiterSeat WaiterSeat::take(Ledger& ledger, const WaiterSlot& facts) {
  for (std::size_t slot = 0; slot < kWaiterSlots; ++slot) {
    const auto mine = os::try_lock_byte(ledger.file(), waiter_byte(slot), os::Share::kExclusive);
    if (!mine) break;
    if (!*mine) continue;
    std::array<char, kWaiterBytes> bytes{};
    encode(facts, bytes.data());
    const auto written =
        ledger.file().write_at(waiters_offset_of(slot), {bytes.data(), bytes.size()});
    static_cast<void>(written);  // then it waits unseen
    return {&ledger, slot};
  }
  return {nullptr, 0};
}

WaiterSeat::~WaiterSeat() {
  if (ledger_ == nullptr) return;
  const std::array<char, kWaiterBytes> zeros{};
  const auto cleared =
      ledger_->file().write_at(waiters_offset_of(slot_), {zeros.data(), zeros.size()});
  static_cast<void>(cleared);  // without its byte the slot means nothing
  const auto unlocked = os::unlock_byte(ledger_->file(), waiter_byte(slot_));
  static_cast<void>(unlocked);  // it goes with the description at the latest
}

Result<std::vector<Waiter>> list_waiters(const Ledger& ledger) {
  std::string bytes(kWaiterSlots * kWaiterBytes, '\0');
  const std::size_t got = HF_TRY(ledger.file().read_into(kWaiterOffset, bytes));
  std::vector<Waiter> waiters;
  for (std::size_t slot = 0; slot * kWaiterBytes < got; ++slot) {
    auto facts =
        decode_waiter_slot(std::string_view(bytes).substr(slot * kWaiterBytes, kWaiterBytes));
    if (!facts || !*facts) continue;
    if (!HF_TRY(os::is_byte_taken(ledger.file(), waiter_byte(slot), os::Share::kExclusive)))
      continue;
    waiters.push_back({.slot = slot, .facts = std::move(**facts)});
  }
  return waiters;
}

Result<std::optional<std::size_t>> waiting_writer(const Ledger& ledger) {
  for (const Waiter& waiter : HF_TRY(list_waiters(ledger))) {
    if (waiter.facts.mode == LockMode::kExclusive) return waiter.slot;
  }
  return std::nullopt;
}

}  // namespace holdfast::lock
