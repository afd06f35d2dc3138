// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/layout.h"
#include "lock/ledger/seat.h"

namespace holdfast::lock {

Result<> Seat::open(const FenceHome& fences, const Clock& clock, Life life) {
  HF_TRY(open_files(fences, clock));
  if (life == Life::kOwn || sidecar || life_file) return {};
  // Replaced in between: this one then has another inode, and the look at the names finds out that
  // the ledger is not the one of the name.
  auto opened = HF_TRY(os::open_without_times(*place.dir, place.ledger, os::Access::kReadWrite));
  if (opened && opened->info.id == ledger->id()) {
    life_file.emplace(std::move(opened->file));
    return {};
  }
  close();
  return fail({.code = ErrorCode::kCannotTell,
               .op = "lock",
               .subject = place.label,
               .cause = "vanishes",
               .detail = "somebody replaced " + place.ledger_path + " in this moment"});
}

Result<bool> Seat::take_life(std::uint64_t epoch, os::Share share) const {
  if (sidecar) return os::try_flock(*sidecar, share);
  return os::try_lock_byte(life_byte_file(), life_byte(epoch), share);
}

Result<std::optional<std::uint64_t>> Seat::life_behind_replaced(std::uint64_t epoch) const {
  return epoch;
}

void Seat::give_life_back(std::uint64_t epoch) const {
  const auto given =
      sidecar ? os::unlock_flock(*sidecar) : os::unlock_byte(life_byte_file(), life_byte(epoch));
  static_cast<void>(given);  // it goes with the description at the latest
}

os::BlockOn Seat::wait_for_life(std::uint64_t epoch, os::Share share) const {
  if (sidecar) {
    return {.kind = os::BlockOn::Kind::kFlock, .handle = sidecar->native(), .share = share};
  }
  return {.kind = os::BlockOn::Kind::kByte,
          .handle = life_byte_file().native(),
          .offset = life_byte(epoch),
          .share = share};
}

os::NativeHandle Seat::life() const {
  return sidecar ? sidecar->native() : life_byte_file().native();
}

// Life is the lock itself, and a child's copy of its description is the same lock.
Result<bool> Seat::complete_life(std::uint64_t /*epoch*/, os::Share /*share*/) const {
  return true;
}

// A keeper is a fork and has every description.
Seat::Life life_for(LockBinding binding) {
  return binding == LockBinding::kExec ? Seat::Life::kInherited : Seat::Life::kOwn;
}

bool Seat::life_is_on_ledger() const { return !sidecar && !life_file; }

bool Seat::others_have_life(std::uint64_t /*epoch*/) const { return false; }

Result<bool> is_life_denied(const Place& /*place*/, std::uint64_t /*epoch*/) { return false; }

Result<bool> is_any_life_denied(const Place& /*place*/) { return false; }

bool is_life_file(std::string_view /*name*/) { return false; }

Duration late_unlock_grace() { return Duration::zero(); }

}  // namespace holdfast::lock
