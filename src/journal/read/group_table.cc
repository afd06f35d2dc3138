// SPDX-License-Identifier: Apache-2.0
#include "journal/read/group_table.h"

namespace holdfast::journal {

bool GroupTable::insert(Slot& slot, std::uint64_t hash, std::string_view key, std::uint64_t count) {
  if (used_ == kMaxKeys || keys_.size() + key.size() > kMaxKeyBytes) return false;
  slot = {.hash = hash,
          .count_plus_one = count + 1,
          .offset = static_cast<std::uint32_t>(keys_.size()),
          .size = static_cast<std::uint32_t>(key.size())};
  keys_ += key;
  if (++used_ * 2 > slots_.size()) grow();
  return true;
}

void GroupTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.count_plus_one == 0) continue;
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].count_plus_one != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

}  // namespace holdfast::journal
