// SPDX-License-Identifier: Apache-2.0
//
// Slots: a name that up to N may hold at once. Each slot is a lock of its own, `NAME/1ofN` to
// `NAME/NofN`, so it has a fence, a token, leases, recovery and waiters like any other lock.
//
// Guarantees: at most N hold slots of one name at once, N being what all of them say: while a slot
// of another N is held, the answer is kUsage `other-slots`. A dead holder blocks nobody. Whichever
// slot is freed, somebody who waits gets it. Waiting is bounded and event-driven.
//
// A free slot is taken in order. Who finds none waits for all of them at once, each in a thread of
// its own (lock/grant/attempt.h), and gives back at once what it got beside the first: so nobody is
// passed over because it waited for another slot, and a slot that was given back goes to the next.
//
// Interleavings:
//   two slots are freed at once and one waiter gets both    it gives the second back; its next
//       waiter is woken by that like by any release
//   a waiter is stopped (SIGSTOP)    its threads take nothing meanwhile (rule L2)
//   a waiter dies with two slots    the kernel frees both, and both are recovered
//   two with different N at the same moment    each looks at the slots of others *after* its own
//       grant is on record, so at least one sees the other, and gives its slot back. It may be both
//   `-n` beside a waiter that is about to give a second slot back    it may be told busy
//
// Limits: N is at most kMostSlots. Cycles of waiting are not found: a wait for slots ends with its
// limit. A plain lock of NAME and slots of NAME do not exclude each other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "lock/grant/backend.h"
#include "lock/grant/local_lock.h"

namespace holdfast::lock {

inline constexpr std::uint32_t kMostSlots = 64;

struct SlotName {
  std::string name;
  std::uint32_t number = 1;  // 1 … count
  std::uint32_t count = 1;
};
std::string to_text(const SlotName& slot);  // "agents/2of3"
// nullopt: it is not the name of a slot.
std::optional<SlotName> parse_slot(std::string_view lock);

// "agents/?of3": any of the three, wherever the names of locks are listed.
std::string any_slot(const SlotsRequest& slots);
std::optional<SlotsRequest> parse_any_slot(std::string_view lock);

struct SlotOutcome {
  std::unique_ptr<LocalLock> lock{};  // null: none was got
  AcquireOutcome outcome{};
};

// Errors: kUsage: the count, a name that is too long, `other-slots`; of lock/grant/backend.h. A slot
// whose record is damaged or cannot be judged is passed over while there are others.
Result<SlotOutcome> acquire_slot(const LocalBackend& backend, const Clock& clock, EventSink* events,
                                 const SlotsRequest& slots, const AcquireRequest& request);

}  // namespace holdfast::lock
