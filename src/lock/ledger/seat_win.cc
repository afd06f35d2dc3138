// SPDX-License-Identifier: Apache-2.0
//
// Life in two parts, the byte and the file (seat.h). Who may die when:
//
//   between byte and file      the byte goes with the process; nothing was granted
//   the holder, afterwards     the byte is free, the file is denied as long as a child lives that
//                              inherited it: whoever gets the byte meets that, and gives it back
//   at a release, in between   the file is closed first, then the byte, all under GUARD: who gets
//                              either finds the record as it will be
//
// A child that outlives the release still denies the file. Nobody may wait for it then, so the
// epoch rises with the release (LocalLock::release), and the next life is another file.
#include <string>

#include "lock/ledger/layout.h"
#include "lock/ledger/seat.h"
#include "os/lock/deny_file.h"

namespace holdfast::lock {
namespace {

constexpr std::string_view kLifePart = ".life-";

Result<os::SafeName> life_name(const Place& place, std::uint64_t epoch) {
  auto name =
      os::SafeName::make(place.ledger.str() + std::string(kLifePart) + std::to_string(epoch));
  if (name) return name;
  return fail({.code = ErrorCode::kUsage,
               .op = "lock",
               .subject = place.label,
               .cause = "name-too-long",
               .detail = "the name of the file of its life would be longer than 255 characters"});
}

}  // namespace

Result<> Seat::open(const FenceHome& fences, const Clock& clock, Life life) {
  for_children = life == Life::kInherited;
  return open_files(fences, clock);
}

Result<bool> Seat::take_life(std::uint64_t epoch, os::Share share) const {
  const bool byte = sidecar ? HF_TRY(os::try_flock(*sidecar, share))
                            : HF_TRY(os::try_lock_byte(ledger->file(), life_byte(epoch), share));
  if (!byte) return false;
  return complete_life(epoch, share);
}

Result<bool> Seat::complete_life(std::uint64_t epoch, os::Share share) const {
  if (denied.valid()) return true;
  const auto take_file = [&]() -> Result<bool> {
    const os::SafeName name = HF_TRY(life_name(place, epoch));
    if (!for_children) return !HF_TRY(os::is_denied(*place.dir, name, share));
    auto file = HF_TRY(os::open_denying(*place.dir, name, share));
    if (!file) return false;
    denied = std::move(*file);
    denied_share = share;
    return true;
  };
  auto taken = take_file();
  if (!taken || !*taken) give_life_back(epoch);
  return taken;
}

Result<std::optional<std::uint64_t>> Seat::life_behind_replaced(std::uint64_t epoch) const {
  const std::uint64_t next = epoch + 1;
  if (HF_TRY(complete_life(next, os::Share::kExclusive))) return std::optional(next);
  return std::optional<std::uint64_t>();
}

void Seat::give_life_back(std::uint64_t epoch) const {
  if (denied_share == os::Share::kExclusive) os::close_and_remove(std::move(denied));
  denied.reset();
  const auto given =
      sidecar ? os::unlock_flock(*sidecar) : os::unlock_byte(ledger->file(), life_byte(epoch));
  static_cast<void>(given);  // it goes with the handle at the latest
}

os::BlockOn Seat::wait_for_life(std::uint64_t epoch, os::Share share) const {
  // Is it the byte that is in the way? A look takes it for a moment.
  const auto free = sidecar ? os::try_flock(*sidecar, share)
                            : os::try_lock_byte(ledger->file(), life_byte(epoch), share);
  if (free && *free) {
    give_life_back(epoch);
    return {};
  }
  if (sidecar) {
    return {.kind = os::BlockOn::Kind::kFlock, .handle = sidecar->native(), .share = share};
  }
  return {.kind = os::BlockOn::Kind::kByte,
          .handle = ledger->file().native(),
          .offset = life_byte(epoch),
          .share = share};
}

os::NativeHandle Seat::life() const {
  return denied.valid() ? denied.get() : os::HandleTraits::nothing();
}

// No child carries on a byte: a keeper, too, is another process here.
Seat::Life life_for(LockBinding binding) {
  const bool carried = binding == LockBinding::kExec || binding == LockBinding::kOwner;
  return carried ? Seat::Life::kInherited : Seat::Life::kOwn;
}

// A range is unlocked as it was locked, so GUARD and life never go in one step.
bool Seat::life_is_on_ledger() const { return false; }

bool Seat::others_have_life(std::uint64_t epoch) const {
  return is_life_denied(place, epoch).value_or(true);
}

Result<bool> is_life_denied(const Place& place, std::uint64_t epoch) {
  const os::SafeName name = HF_TRY(life_name(place, epoch));
  return os::is_denied(*place.dir, name, os::Share::kExclusive);
}

Result<bool> is_any_life_denied(const Place& place) {
  const std::string start = place.ledger.str() + std::string(kLifePart);
  std::vector<std::string> names;
  HF_TRY(place.dir->each_entry([&](std::string_view name, os::FileType) {
    if (name.starts_with(start)) names.emplace_back(name);
    return os::Visit::kContinue;
  }));
  for (const std::string& name : names) {
    const os::SafeName safe = HF_TRY(os::SafeName::make(name));
    if (HF_TRY(os::is_denied(*place.dir, safe, os::Share::kExclusive))) return true;
  }
  return false;
}

// Of a named lock. `NAME.lock` itself ends otherwise, whatever NAME is.
bool is_life_file(std::string_view name) {
  const std::size_t at = name.rfind(kLifePart);
  if (at == std::string_view::npos || !name.substr(0, at).ends_with(".lock")) return false;
  const std::string_view epoch = name.substr(at + kLifePart.size());
  return !epoch.empty() && epoch.find_first_not_of("0123456789") == std::string_view::npos;
}

Duration late_unlock_grace() { return std::chrono::milliseconds(250); }

}  // namespace holdfast::lock
