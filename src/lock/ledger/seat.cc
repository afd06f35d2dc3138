// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/seat.h"

#include "os/dir/dir.h"
#include "os/lock/lock_path.h"

namespace holdfast::lock {
namespace {

constexpr int kTries = 8;

// A sidecar that another program made may be readable for everybody, and whoever opens it can hold
// it. Only who may write to the directory has business with it.
void close_to_readers(const os::Dir& dir, os::OpenedFile& opened) {
  if ((opened.info.mode & 077U) == 0) return;
  const auto info = dir.info();
  if (!info) return;
  const std::uint32_t writers = info->mode & 022U;
  const std::uint32_t mode = opened.info.mode & ~(077U & ~(writers | (writers << 1U)));
  if (mode != opened.info.mode && opened.file.set_mode(mode)) opened.info.mode = mode;
}

}  // namespace

Result<std::optional<os::OpenedFile>> open_sidecar(const Place& place, Make make) {
  if (place.is_path) {
    const bool may_make = make == Make::kYes;
    return os::open_lock_path(*place.sidecar_dir, *place.sidecar,
                              may_make ? os::MakeLockPath::kYes : os::MakeLockPath::kNo);
  }
  for (int tries = 0; tries < kTries; ++tries) {
    auto opened = HF_TRY(os::open_without_times(*place.dir, *place.sidecar, os::Access::kRead));
    if (!opened && make == Make::kNo) return std::nullopt;
    if (!opened) {
      // Whether it is made here or by somebody else in between, it is looked at as it is.
      const auto made = HF_TRY(place.dir->create_file(*place.sidecar, kPrivateFile));
      static_cast<void>(made);
      continue;
    }
    HF_TRY(check_lock_file(*opened, GroupMayWrite::kYes));
    if (make == Make::kYes) close_to_readers(*place.dir, *opened);
    return opened;
  }
  return fail({.code = ErrorCode::kCannotTell,
               .op = "lock",
               .subject = place.label,
               .cause = "vanishes",
               .detail = "somebody keeps removing the file beside it"});
}

Result<> Seat::open_files(const FenceHome& fences, const Clock& clock) {
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
  return {};
}

void Seat::close() {
  life_file.reset();
  denied.reset();
  ledger.reset();
  sidecar.reset();
  sidecar_id.reset();
  last_epoch.reset();
}

Result<bool> Seat::is_named() const {
  if (!HF_TRY(ledger->is_named(place))) return false;
  if (!place.sidecar) return true;
  return HF_TRY(place.sidecar_dir->id_of(*place.sidecar)) == sidecar_id;
}

Result<bool> Seat::has_name() const {
  return place.sidecar ? is_named() : os::has_name(ledger->file());
}

}  // namespace holdfast::lock
