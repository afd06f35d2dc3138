// SPDX-License-Identifier: Apache-2.0
#include "journal/read/damage.h"

#include <algorithm>

namespace holdfast::journal {
namespace {

bool is_about_lines(std::string_view kind) {
  return kind == damage_kind::kNotARecord || kind == damage_kind::kChecksum ||
         kind == damage_kind::kTooLong || kind == damage_kind::kSeal || kind == damage_kind::kMany;
}

}  // namespace

void DamageLog::add(Damage damage) {
  if (!all_.empty()) {
    Damage& last = all_.back();
    const bool touches = last.offset + last.bytes == damage.offset && last.lost == SeqRange{};
    if (touches && last.kind == damage.kind && is_about_lines(damage.kind)) {
      last.bytes += damage.bytes;
      return;
    }
    if (last.kind == damage_kind::kMany) {
      last.bytes = std::max(last.bytes, damage.offset + damage.bytes - last.offset);
      return;
    }
  }
  if (all_.size() + 1 == kMaxDamages) {
    damage.kind = damage_kind::kMany;
    damage.says = "more damage than a list can hold, from here to the end of this range";
  }
  all_.push_back(std::move(damage));
}

void note_lost(Damage& damage, SeqRange lost) {
  damage.lost = lost;
  damage.says += "; " + are_missing(lost) + " there";
}

std::string are_missing(SeqRange lost) {
  if (lost.first == lost.last) return "record " + std::to_string(lost.first) + " is missing";
  return "records " + std::to_string(lost.first) + " to " + std::to_string(lost.last) +
         " are missing";
}

}  // namespace holdfast::journal
