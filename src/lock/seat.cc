// SPDX-License-Identifier: Apache-2.0
#include "lock/seat.h"

#include "lock/layout.h"

namespace holdfast::lock {
namespace {

constexpr std::uint32_t kPrivate = 0600;
constexpr int kTries = 8;

}  // namespace

Result<std::optional<os::OpenedFile>> open_sidecar(const Place& place, Make make) {
  for (int tries = 0; tries < kTries; ++tries) {
    auto opened = HF_TRY(os::open_without_times(*place.dir, *place.sidecar, os::Access::kRead));
    if (!opened && make == Make::kNo) return std::nullopt;
    if (!opened) {
      // Whether it is made here or by somebody else in between, it is looked at as it is.
      const auto made = HF_TRY(place.dir->create_file(*place.sidecar, kPrivate));
      static_cast<void>(made);
      continue;
    }
    HF_TRY(check_lock_file(*opened, GroupMayWrite::kYes));
    return opened;
  }
  return fail({.code = ErrorCode::kCannotTell,
               .op = "lock",
               .subject = place.label,
               .cause = "vanishes",
               .detail = "somebody keeps removing the file beside it"});
}

Result<> Seat::open(const FenceHome& fences, const Clock& clock, Life life) {
  if (place.sidecar && !sidecar) {
    std::optional<os::OpenedFile> opened;
    opened = HF_TRY(open_sidecar(place, Make::kYes));
    sidecar.emplace(std::move(opened->file));
    sidecar_id = opened->info.id;
  }
  if (!ledger) {
    ledger.emplace(HF_TRY(Ledger::open_or_make(place, fences, clock)));
    last_epoch = ledger->first_epoch();
  }
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

void Seat::close() {
  life_file.reset();
  ledger.reset();
  sidecar.reset();
  sidecar_id.reset();
  last_epoch.reset();
}

Result<bool> Seat::is_named() const {
  if (!HF_TRY(ledger->is_named(place))) return false;
  if (!place.sidecar) return true;
  return HF_TRY(place.dir->id_of(*place.sidecar)) == sidecar_id;
}

Result<bool> Seat::take_life(std::uint64_t epoch, os::Share share) const {
  if (sidecar) return os::try_flock(*sidecar, share);
  return os::try_lock_byte(life_byte_file(), life_byte(epoch), share);
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

}  // namespace holdfast::lock
