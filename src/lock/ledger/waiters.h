// SPDX-License-Identifier: Apache-2.0
//
// Waiters that can be seen: each one that sleeps fills a waiter slot and holds its byte WAITER+i as
// long as it waits. The byte is the right to the slot, so no GUARD is needed.
//
// Visibility is a courtesy: with more than 64 waiters, or on a full disk, one waits unseen.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/result.h"
#include "lock/ledger/ledger.h"

namespace holdfast::lock {

// A place in the list, given up at the end.
class WaiterSeat {
 public:
  // Unseen where there is no slot or it cannot be written. The ledger must outlive the seat.
  static WaiterSeat take(Ledger& ledger, const WaiterSlot& facts);
  WaiterSeat(WaiterSeat&& other) noexcept
      : ledger_(std::exchange(other.ledger_, nullptr)), slot_(other.slot_) {}
  WaiterSeat& operator=(WaiterSeat&&) = delete;
  WaiterSeat(const WaiterSeat&) = delete;
  WaiterSeat& operator=(const WaiterSeat&) = delete;
  ~WaiterSeat();

 private:
  WaiterSeat(Ledger* ledger, std::size_t slot) : ledger_(ledger), slot_(slot) {}

  Ledger* ledger_;
  std::size_t slot_;
};

struct Waiter {
  std::size_t slot = 0;
  WaiterSlot facts;
};

// Those who live. A damaged slot is left out.
Result<std::vector<Waiter>> list_waiters(const Ledger& ledger);
// The slot of a live waiter that wants the lock exclusively, not counting this description's own.
Result<std::optional<std::size_t>> waiting_writer(const Ledger& ledger);

}  // namespace holdfast::lock
