// SPDX-License-Identifier: Apache-2.0
//
// CycleWatch: notices that waiting would never end, because the holder waits, through others, for a
// lock of the waiter's own chain.
//
// The work under token T waits for lock L: that is noted in the ledger of the lock that T holds
// (WaitNote), by the waiter, which holds the byte NOTE as long as it waits. Following the notes
// from L leads from holder to holder. A cycle is reported to its youngest waiter alone.
//
// Each waiter writes its notes before it follows any, so of two that close a cycle together at
// least one sees it; the youngest looks again at 2, 4, 8 … s in case the other's note came late.
//
// Limits: one note per ledger: of two processes under one token that both wait, one is noted.
// Waiters of one process that hold locks without HOLDFAST_CHAIN are not known here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/lock/lock_chain.h"
#include "lock/ledger/ledger.h"
#include "lock/ledger/place.h"

namespace holdfast::lock {

class CycleWatch {
 public:
  // `wanted` is the lock that is waited for since now. All three outlive the watch.
  CycleWatch(const LockChain& chain, const Place& wanted, const Clock& clock);
  ~CycleWatch();
  CycleWatch(const CycleWatch&) = delete;
  CycleWatch& operator=(const CycleWatch&) = delete;
  CycleWatch(CycleWatch&&) = delete;
  CycleWatch& operator=(CycleWatch&&) = delete;

  // When to look next; nullopt: there is nothing to look for.
  [[nodiscard]] std::optional<MonoTime> next_look() const;
  // The locks of the cycle, from the one that is wanted to one of our own, where there is one and
  // this waiter is its youngest. What cannot be read ends the search: no cycle is seen.
  std::optional<std::vector<std::string>> look();

 private:
  Result<> write_note(std::size_t entry);
  // Is this a lock of our chain, which our token still holds?
  [[nodiscard]] Result<bool> is_ours(const std::string& path, const Ledger& ledger) const;
  [[nodiscard]] Result<std::optional<std::vector<std::string>>> follow() const;

  const LockChain& chain_;
  const Place& wanted_;
  const Clock& clock_;
  MonoTime begun_;
  BootTime since_;
  Duration pause_;                            // from the beginning to the next look
  std::vector<std::optional<Ledger>> notes_;  // by chain entry: those whose NOTE byte is ours
};

}  // namespace holdfast::lock
