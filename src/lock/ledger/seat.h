// SPDX-License-Identifier: Apache-2.0
//
// Seat: the open files of one contender, and life.
//
// Life is the byte LIFE+epoch of the ledger, or the flock of the sidecar where there is one. It
// belongs to an open file description of this seat and of nobody else.
//
// Windows: a byte goes with its process, and no child inherits it. So life is that byte *and* a
// third file, `LEDGER.life-EPOCH`, that is opened to deny others (os/lock/deny_file.h) by who needs a
// child or a keeper to carry life on; whoever takes life sees that nobody denies it that file. The
// byte is what is waited for; where only the file is held, by the child of a process that is dead,
// it is looked at again and again. The order is always byte, then file, so nobody is met between
// the two. On a sidecar the byte is its byte 0, the one of msvcrt.locking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "lock/grant/backend.h"
#include "lock/ledger/ledger.h"
#include "lock/ledger/place.h"
#include "os/lock/blocked_wait.h"
#include "os/lock/byte_lock.h"

namespace holdfast::lock {

struct Seat {
  Place place;
  std::optional<Ledger> ledger{};
  std::optional<os::File> sidecar{};
  std::optional<os::FileId> sidecar_id{};
  std::optional<os::File> life_file{};        // of a named lock whose life a child shall inherit
  std::optional<std::uint64_t> last_epoch{};  // of the last grant or look; only a guess by now
  // Windows: the open file that denies life to others, and how.
  mutable os::Handle denied{};
  mutable os::Share denied_share = os::Share::kExclusive;
  bool for_children = false;  // Windows: life is to be inherited

  // Opens what is not open; makes what is missing. kInherited: life gets a description of its own,
  // the only one that a child is given. GUARD must not be on it: a process that is killed inside
  // GUARD would leave it with the child.
  enum class Life : std::uint8_t { kOwn, kInherited };
  Result<> open(const FenceHome& fences, const Clock& clock, Life life = Life::kOwn);
  void close();
  // Do the names still lead to the open files?
  [[nodiscard]] Result<bool> is_named() const;
  // Have they names at all? False as above, as far as os::has_name sees.
  [[nodiscard]] Result<bool> has_name() const;

  [[nodiscard]] Result<bool> take_life(std::uint64_t epoch, os::Share share) const;
  // The rest of it where what wait_for_life() names was got by waiting. False: it is not to be had,
  // and that was given back.
  [[nodiscard]] Result<bool> complete_life(std::uint64_t epoch, os::Share share) const;
  // With a sidecar that was just replaced and whose lock is ours: the epoch of the life that goes
  // with it. Windows: whoever held the old one may still deny the file of its life, so it is that of
  // the next one. nullopt: it is not to be had, and life was given back.
  [[nodiscard]] Result<std::optional<std::uint64_t>> life_behind_replaced(
      std::uint64_t epoch) const;
  // Also where it is not held: nothing happens then.
  void give_life_back(std::uint64_t epoch) const;
  // kNothing: what is in the way tells nobody when it goes; look again soon.
  [[nodiscard]] os::BlockOn wait_for_life(std::uint64_t epoch, os::Share share) const;
  [[nodiscard]] os::NativeHandle life() const;
  // Then GUARD and life are of one description, and go in one step.
  [[nodiscard]] bool life_is_on_ledger() const;
  // After give_life_back: does a child still deny it to the next one? Then the epoch must rise.
  // What cannot be told counts as yes.
  [[nodiscard]] bool others_have_life(std::uint64_t epoch) const;

 private:
  Result<> open_files(const FenceHome& fences, const Clock& clock);
  [[nodiscard]] const os::File& life_byte_file() const {
    return life_file ? *life_file : ledger->file();
  }
};

// Who else shall be able to carry on the life of a lock with this binding?
Seat::Life life_for(LockBinding binding);

// Does a process that inherited it deny life to others, whoever has the byte? Windows only.
Result<bool> is_life_denied(const Place& place, std::uint64_t epoch);
// The same for whatever epoch.
Result<bool> is_any_life_denied(const Place& place);
bool is_life_file(std::string_view name);

// How long after the end of a holder its locks may still be held.
Duration late_unlock_grace();

inline os::Share share_of(LockMode mode) {
  return mode == LockMode::kShared ? os::Share::kShared : os::Share::kExclusive;
}

// The sidecar of a file, made where it is missing; nullopt where it may not be made and is not
// there.
enum class Make : std::uint8_t { kNo, kYes };
Result<std::optional<os::OpenedFile>> open_sidecar(const Place& place, Make make);

}  // namespace holdfast::lock
