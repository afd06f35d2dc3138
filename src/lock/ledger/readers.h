// SPDX-License-Identifier: Apache-2.0
//
// The reader slots of a shared lock. A reader holds the byte READER+i of its slot as long as it
// lives; a slot that is filled while its byte is free belongs to a reader that never released.
//
// Slots change under GUARD. Errors: as the ledger; a damaged slot is kCorrupt `bad-checksum`: who
// the reader is cannot be told, so it is not passed over.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/result.h"
#include "lock/ledger/ledger.h"

namespace holdfast::lock {

struct Reader {
  std::size_t slot = 0;
  ReaderSlot facts;
  bool alive = false;  // its byte is held
};

// All filled slots.
Result<std::vector<Reader>> list_readers(const Ledger& ledger);

// A free slot, filled and owned by this description. nullopt: all are taken. Where the lock is not
// held by readers, whatever stands in a slot (damage too) is of the past.
Result<std::optional<std::size_t>> take_reader_slot(Ledger& ledger, const Guard& guard,
                                                    const ReaderSlot& facts, bool held);
Result<> rewrite_reader_slot(Ledger& ledger, const Guard& guard, std::size_t slot,
                             const ReaderSlot& facts);
// Empties it; the byte, if it is this description's, is given back.
Result<> clear_reader_slot(Ledger& ledger, const Guard& guard, std::size_t slot);

// Of every reader, live, dead or damaged: by order.
Result<> clear_all_reader_slots(Ledger& ledger, const Guard& guard);

}  // namespace holdfast::lock
