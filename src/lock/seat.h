// SPDX-License-Identifier: Apache-2.0
//
// Seat: the open files of one contender, and life.
//
// Life is the byte LIFE+epoch of the ledger, or the flock of the sidecar where there is one. It
// belongs to an open file description of this seat and of nobody else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "lock/backend.h"
#include "lock/ledger.h"
#include "lock/place.h"
#include "os/blocked_wait.h"
#include "os/byte_lock.h"

namespace holdfast::lock {

struct Seat {
  Place place;
  std::optional<Ledger> ledger{};
  std::optional<os::File> sidecar{};
  std::optional<os::FileId> sidecar_id{};
  std::optional<os::File> life_file{};        // of a named lock whose life a child shall inherit
  std::optional<std::uint64_t> last_epoch{};  // of the last grant or look; only a guess by now

  // Opens what is not open; makes what is missing. kInherited: life gets a description of its own,
  // the only one that a child is given. GUARD must not be on it: a process that is killed inside
  // GUARD would leave it with the child.
  enum class Life : std::uint8_t { kOwn, kInherited };
  Result<> open(const FenceHome& fences, const Clock& clock, Life life = Life::kOwn);
  void close();
  // Do the names still lead to the open files?
  [[nodiscard]] Result<bool> is_named() const;

  [[nodiscard]] Result<bool> take_life(std::uint64_t epoch, os::Share share) const;
  // Also where it is not held: nothing happens then.
  void give_life_back(std::uint64_t epoch) const;
  [[nodiscard]] os::BlockOn wait_for_life(std::uint64_t epoch, os::Share share) const;
  [[nodiscard]] os::NativeHandle life() const;
  // Then GUARD and life are of one description, and go in one step.
  [[nodiscard]] bool life_is_on_ledger() const { return !sidecar && !life_file; }

 private:
  [[nodiscard]] const os::File& life_byte_file() const {
    return life_file ? *life_file : ledger->file();
  }
};

inline os::Share share_of(LockMode mode) {
  return mode == LockMode::kShared ? os::Share::kShared : os::Share::kExclusive;
}

// The sidecar of a file, made where it is missing; nullopt where it may not be made and is not
// there.
enum class Make : std::uint8_t { kNo, kYes };
Result<std::optional<os::OpenedFile>> open_sidecar(const Place& place, Make make);

}  // namespace holdfast::lock
