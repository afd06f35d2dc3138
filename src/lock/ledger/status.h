// SPDX-License-Identifier: Apache-2.0
//
// What can be seen of a lock without taking it. A look at one moment.
//
// free: nobody. held: somebody lives, in the kernel or by its identity. stale: it would be granted
// now, although a holder is recorded. unknown: the record cannot be read, or whether its holder
// lives cannot be told.
//
// Limit: whether the sidecar of a file is flocked is read from /proc/locks; where that shows
// nobody, it is tried with a shared flock for a moment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "format/lock/lock_ledger.h"
#include "lock/grant/backend.h"
#include "lock/ledger/place.h"
#include "os/dir/dir.h"

namespace holdfast::lock {

enum class Visible : std::uint8_t { kFree, kHeld, kStale, kUnknown };
std::string_view to_text(Visible state);  // "free", "held", "stale", "unknown"

struct WaiterView {
  std::optional<std::int32_t> pid{};  // in this pid namespace
  ProcessIdentity process{};
  LockMode mode = LockMode::kExclusive;
  WallTime since{};
  std::string command{};
  std::string session{};  // whose supervisor it is; filled by who knows the sessions
};

struct LockStatus {
  std::string label;
  Visible state = Visible::kFree;
  std::string evidence;  // a stable word: why
  std::optional<LockMode> mode{};
  std::optional<LockBinding> binding{};
  std::vector<HolderView> holders{};  // one, or each reader
  std::optional<std::uint64_t> fence{};
  std::optional<Duration> ttl{};
  std::optional<Duration> left{};  // of the lease; negative: overrun. None on another clock
  std::optional<LockYields> yields{};
  std::optional<Duration> since_beat{};
  std::optional<Duration> since_progress{};
  std::optional<std::string> break_id{};
  std::vector<WaiterView> waiters{};
};

// A lock that was never used is free.
Result<LockStatus> look_at_lock(const Place& place, const Clock& clock);

// The names of all locks in `locks` (HOME/locks), in no order; a stray file is reported to `stray`.
Result<> each_lock_name(const os::Dir& locks, const std::function<void(std::string name)>& visit,
                        const std::function<void(std::string file)>& stray);

}  // namespace holdfast::lock
