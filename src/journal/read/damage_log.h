// SPDX-License-Identifier: Apache-2.0
//
// DamageLog: the damage of one segment, as it is met from front to back. Lines of the same kind
// that touch are one place; behind kMaxDamages places everything more is one range of kind `many`,
// so that a file of nothing but damage takes no more memory than any other.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "journal/read/damage.h"

namespace holdfast::journal {

inline constexpr std::size_t kMaxDamages = 1000;

// Says of `damage` that these numbers are missing there.
void note_lost(Damage& damage, SeqRange lost);
// "record 7 is missing", "records 7 to 9 are missing"
std::string are_missing(SeqRange lost);

class DamageLog {
 public:
  DamageLog() = default;
  explicit DamageLog(std::vector<Damage> known) : all_(std::move(known)) {}

  void add(Damage damage);
  // The numbers that are missing where the last damage stands.
  void last_lost(SeqRange lost) { note_lost(all_.back(), lost); }

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<Damage>& all() const { return all_; }
  [[nodiscard]] std::vector<Damage> take() { return std::move(all_); }

 private:
  std::vector<Damage> all_;
};

}  // namespace holdfast::journal
