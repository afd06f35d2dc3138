// SPDX-License-Identifier: Apache-2.0
//
// What can be done to a held lock by somebody who does not hold its descriptor: with the token
// (renew, check, release), or with the id that `locks` shows (break).
//
// Guarantee: each is one step under GUARD: the record is compared and changed, or nothing is. A
// token that is not the current one changes nothing, whoever shows it. A break is on stable storage
// when it returns (else kNotDurable: it holds, until a power cut).
//
// A release or break of a named lock raises the epoch, so that the next grant does not depend on
// the old holder's descriptor, and wakes the waiters. On a sidecar there is one flock: a keeper is
// ended (force.h); a wrapper or library keeps it until it ends, which is kStillHeld.
//
// Errors: as the ledger; break: kBusy where the journal cannot take the decision is the journal's
// own error, and nothing was changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/lock/lock_ledger.h"
#include "lock/grant/backend.h"
#include "lock/grant/events.h"
#include "lock/ledger/fence_home.h"
#include "lock/ledger/ledger.h"
#include "lock/ledger/place.h"

namespace holdfast::lock {

enum class TokenAnswer : std::uint8_t {
  kDone,
  kStillHeld,  // done in the record, but the descriptor of a sidecar is still held
  kNotHolder,  // another token holds it, or nobody
  kNoLock,     // there is no such lock
};

// Does a hold that is on record still keep others out? What `locks` calls stale is over.
enum class Standing : std::uint8_t { kGood, kOver, kUnknown };

struct TokenResult {
  TokenAnswer answer = TokenAnswer::kNoLock;
  std::uint64_t fence = 0;
  LockMode mode = LockMode::kExclusive;
  std::optional<BootTime> deadline{};
  std::optional<Duration> ttl{};
  bool expired = false;  // the lease had run out, and nobody had taken it
  // Of check and renew, where the answer is kDone; a stable word says why.
  Standing standing = Standing::kGood;
  std::string evidence{};
};

// `ttl`: another one from now on. A lease that ran out and was taken by nobody is renewed. Nothing
// is changed where `standing` is not kGood: the lease is of an earlier boot, or on another clock;
// or who held it without a lease is dead.
Result<TokenResult> renew_by_token(const Place& place, const Id128& token, Lock::Beat beat,
                                   std::optional<Duration> ttl, const Clock& clock);
// kDone: the token holds the lock now. Whether the lease has run out is in `expired`.
Result<TokenResult> check_by_token(const Place& place, const Id128& token, const Clock& clock);
Result<TokenResult> release_by_token(const Place& place, const Id128& token, const Clock& clock,
                                     EventSink* sink);

// The work that the hold is for becomes `to`, where it is `from` now (null: whatever it is).
// Answers what it was. Nothing: it is not this token's, it is not `from`, or it is no exclusive
// hold of a wrapper or a library; nothing was changed. Who gives the lock back while `to` may live
// leaves it to that process (Lock::release).
Result<std::optional<ProcessIdentity>> bind_by_token(const Place& place, const Id128& token,
                                                     const ProcessIdentity* from,
                                                     const ProcessIdentity& to, const Clock& clock);

// Which hold it is, without its secret: 16 hexadecimal digits of SHA-256 over tokens and
// generation; for a damaged record, of its bytes. Nothing where nobody holds it.
Result<std::optional<std::string>> break_id_of(const Ledger& ledger);

struct BreakResult {
  TokenAnswer answer = TokenAnswer::kNoLock;  // kNotHolder: the id is not that of the current hold
  HolderView holder{};
};
// `id` as break_id_of says. The decision is durable before anything changes. A damaged record is
// written anew as free, with a fence above every earlier one, where no process has life.
Result<BreakResult> break_lock(const Place& place, const FenceHome& fences, std::string_view id,
                               std::string_view reason, const Clock& clock, EventSink* sink);

}  // namespace holdfast::lock
