// SPDX-License-Identifier: Apache-2.0
//
// Locks that are held by this process.
#include <memory>
#include <utility>

#include "base/id128.h"
#include "capi/boundary.h"
#include "capi/handles.h"
#include "format/text/name_escape.h"
#include "lock/ledger/place.h"
#include "os/path/path.h"
#include "run/lock/fail_open.h"
#include "run/lock/lock_text.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

namespace holdfast::capi {

Result<lock::LockId> lock_id_of(int kind, const char* name) {
  HF_TRY(require(name, "name"));
  if (kind < HOLDFAST_NAMED || kind > HOLDFAST_PATH)
    return fail(wrong_call("bad-value", "kind", "it is one of HOLDFAST_NAMED, …_FILE and …_PATH"));
  if (*name == 0) return fail(wrong_call("bad-value", "name", "it is empty"));
  if (kind == HOLDFAST_FILE) return lock::LockId{.kind = lock::LockId::Kind::kFile, .text = name};
  if (kind == HOLDFAST_PATH) return lock::LockId{.kind = lock::LockId::Kind::kPath, .text = name};
  lock::LockId id = lock::lock_called(name);  // a name may be a path, as for the program
  if (id.kind == lock::LockId::Kind::kNamed) HF_TRY(escape_name(id.text, platform_name_rules()));
  return id;
}

namespace {

// A third of it must be long enough for a renewal on a busy machine.
constexpr Duration kShortestLease = std::chrono::milliseconds(100);
constexpr Duration kShortestSilence = std::chrono::seconds(1);

using LockKind = lock::AcquireOutcome::Kind;

Result<> check_lease(const lock::AcquireRequest& request, const lock::LockId& id, bool yields) {
  const bool file = id.kind == lock::LockId::Kind::kFile;
  if (request.ttl && *request.ttl < kShortestLease)
    return fail(wrong_call("bad-value", "ttl_ms", "a lease lasts at least 100 ms"));
  if (yields && !request.ttl)
    return fail(wrong_call("conflict", "yields", "only a lease can run out and be yielded"));
  if (request.presume_dead && !file)
    return fail(wrong_call("conflict", "presume_dead_ms", "it is about the lock of a file"));
  if (request.presume_dead && *request.presume_dead < kShortestSilence)
    return fail(wrong_call("bad-value", "presume_dead_ms", "a holder must be seen for 1 s"));
  if (request.on_expired == lock::OnExpired::kReplace && !file)
    return fail(wrong_call("conflict", "on_expired", "only the lock of a file can be replaced"));
  return {};
}

Result<lock::AcquireRequest> request_of(const holdfast_lock_options& options,
                                        const lock::LockId& id) {
  HF_TRY(known_flags(options.flags, HOLDFAST_LOCK_SHARED | HOLDFAST_LOCK_TRUST_KERNEL));
  if (options.on_expired < HOLDFAST_ON_EXPIRED_WAIT ||
      options.on_expired > HOLDFAST_ON_EXPIRED_REPLACE)
    return fail(wrong_call("bad-value", "on_expired", "it is one of HOLDFAST_ON_EXPIRED_…"));
  if (options.yields < HOLDFAST_YIELDS_DEFAULT || options.yields > HOLDFAST_YIELDS_KILL)
    return fail(wrong_call("bad-value", "yields", "it is one of HOLDFAST_YIELDS_…"));
  lock::AcquireRequest request;
  const bool shared = (options.flags & HOLDFAST_LOCK_SHARED) != 0;
  request.mode = shared ? LockMode::kShared : LockMode::kExclusive;
  request.trust_kernel = (options.flags & HOLDFAST_LOCK_TRUST_KERNEL) != 0;
  request.wait = HF_TRY(wait_of(options.wait_ms, Duration::zero(), "wait_ms"));
  request.ttl = HF_TRY(limit_of(options.ttl_ms, "ttl_ms"));
  request.presume_dead = HF_TRY(limit_of(options.presume_dead_ms, "presume_dead_ms"));
  request.on_expired = static_cast<lock::OnExpired>(options.on_expired);
  const bool yields = options.yields != HOLDFAST_YIELDS_DEFAULT;
  request.yields = request.ttl ? LockYields::kTake : LockYields::kWait;
  if (yields) request.yields = static_cast<LockYields>(options.yields - HOLDFAST_YIELDS_WAIT);
  request.reason = options.reason != nullptr ? options.reason : "";
  request.cancel = HF_TRY(flag_of(options.cancel));
  HF_TRY(check_lease(request, id, yields));
  return request;
}

// The seat, for this thread alone until the end, without its mutex: others must not wait.
class InAcquire {
 public:
  static Result<InAcquire> begin(holdfast_lock& handle) {
    Seat& seat = handle.seat();
    const std::scoped_lock held(seat.mutex);
    if (seat.waiting)
      return fail(wrong_call("in-use", "lock", "another thread is in acquire of this very handle"));
    auto* const lock = HF_TRY(seat.lock());
    if (lock->grant())
      return fail(wrong_call("already-held", "lock", "this handle holds it already"));
    seat.waiting = true;
    return InAcquire(seat, *lock);
  }

  InAcquire(InAcquire&& other) noexcept
      : seat_(std::exchange(other.seat_, nullptr)), lock_(other.lock_) {}
  InAcquire& operator=(InAcquire&&) = delete;
  InAcquire(const InAcquire&) = delete;
  InAcquire& operator=(const InAcquire&) = delete;
  ~InAcquire() {
    if (seat_ == nullptr) return;
    const std::scoped_lock held(seat_->mutex);
    seat_->waiting = false;
  }

  [[nodiscard]] Seat& seat() const { return *seat_; }
  [[nodiscard]] lock::Lock& lock() const { return lock_; }

 private:
  InAcquire(Seat& seat, lock::Lock& lock) : seat_(&seat), lock_(lock) {}

  Seat* seat_;
  lock::Lock& lock_;
};

Result<int> acquire(holdfast_lock* handle, const holdfast_lock_options* options, bool may_wait,
                    holdfast_error* error) {
  HF_TRY(open_handle(handle, kLockMagic, "lock"));
  const holdfast_lock_options own = HF_TRY(read_struct(options, "options"));
  lock::AcquireRequest request = HF_TRY(request_of(own, handle->id));
  if (!may_wait) request.wait = Duration::zero();
  request.command = handle->origin->state().command();
  request.chain = handle->origin->chain();
  const InAcquire alone = HF_TRY(InAcquire::begin(*handle));
  lock::Lock& lock = alone.lock();
  auto outcome = HF_TRY(lock.acquire(request));
  if (!outcome.granted()) {
    const Error why = run::not_acquired(lock.label(), outcome, request);
    if (outcome.kind != LockKind::kSurvivors) return fail(why);
    return put(error, why, ExitCode::kSurvivors);
  }
  handle->holder.store(os::process_mark());
  const std::array handles{lock.life(), lock.not_for_children()};
  if (const auto watched = alone.seat().shut.watch(handles); !watched) {
    const auto released = lock.release();
    static_cast<void>(released);
    return fail(watched.error());
  }
  alone.seat().outcome = std::move(outcome);
  return HOLDFAST_OK;
}

std::int64_t milliseconds(Duration time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).count();
}

Error lost(const lock::Lock& lock, std::string_view op) {
  return {.code = ErrorCode::kRefused,
          .op = std::string(op),
          .subject = "'" + lock.label() + "'",
          .cause = "lost",
          .detail =
              "it is no longer held by us: its lease ran out and it was taken, it was "
              "broken, or its ledger is gone; nothing was changed"};
}

void fill_grant(const Seat& seat, const lock::Grant& grant, holdfast_grant* out) {
  const lock::AcquireOutcome& outcome = seat.outcome;
  out->reentered = outcome.kind == LockKind::kReentered ? 1 : 0;
  out->fence = grant.fence;
  out->ttl_ms = grant.ttl ? milliseconds(*grant.ttl) : 0;
  const BootTime now = seat.origin->state().clock.boot();
  out->left_ms = grant.deadline ? milliseconds(*grant.deadline - now) : 0;
  out->waited_ms = milliseconds(outcome.waited);
  out->shared = grant.mode == LockMode::kShared ? 1 : 0;
  out->reserved = 0;
  copy_text(to_hex(grant.token), out->token);
  copy_text(outcome.cause ? to_text(*outcome.cause) : std::string_view(), out->cause);
  copy_text(outcome.evidence, out->evidence);
}

Result<int> still_ours(const HeldSeat& held, const Result<lock::Owned>& owned,
                       std::string_view op) {
  if (!owned) return fail(owned.error());
  if (*owned == lock::Owned::kLost) return fail(lost(*held.lock, op));
  return HOLDFAST_OK;
}

}  // namespace
}  // namespace holdfast::capi

int holdfast_lock_open(holdfast_home* hf, int kind, const char* name, holdfast_lock** out,
                       holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    HF_TRY(require(out, "out"));
    *out = nullptr;
    const auto* home = HF_TRY(open_handle(hf, kHomeMagic, "hf"));
    auto handle = std::make_unique<holdfast_lock>();
    handle->origin = home->origin;
    handle->id = HF_TRY(lock_id_of(kind, name));
    // A relative path is that of now, whatever directory the process goes to.
    if (handle->id.kind != lock::LockId::Kind::kNamed)
      handle->id.text = HF_TRY(os::absolute_from_here(handle->id.text));
    Seat& seat = handle->seat();
    {
      const std::scoped_lock held(seat.mutex);
      HF_TRY(seat.lock());
    }
    *out = handle.release();
    return HOLDFAST_OK;
  });
}

void holdfast_lock_close(holdfast_lock** lock) {
  if (lock == nullptr || *lock == nullptr || (*lock)->magic != kLockMagic) return;
  (*lock)->magic = kClosedMagic;
  delete std::exchange(*lock, nullptr);
}

int holdfast_lock_acquire(holdfast_lock* lock, const holdfast_lock_options* options,
                          holdfast_error* error) {
  return answer(error, [&] { return acquire(lock, options, true, error); });
}

int holdfast_lock_try(holdfast_lock* lock, const holdfast_lock_options* options,
                      holdfast_error* error) {
  return answer(error, [&] { return acquire(lock, options, false, error); });
}

int holdfast_lock_grant(holdfast_lock* lock, holdfast_grant* out, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    HF_TRY(may_fill(out, "out"));
    const HeldSeat held = HF_TRY(held_seat(lock, "tell the grant of"));
    fill_grant(*held.seat, *held.lock->grant(), out);
    return HOLDFAST_OK;
  });
}

int holdfast_lock_check(holdfast_lock* lock, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    const HeldSeat held = HF_TRY(held_seat(lock, "check"));
    return still_ours(held, held.lock->check(), "check");
  });
}

int holdfast_lock_renew(holdfast_lock* lock, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    const HeldSeat held = HF_TRY(held_seat(lock, "renew"));
    if (held.seat->outcome.kind == LockKind::kReentered) {
      // Whoever runs us renews it; here it is only asked for.
      return still_ours(held, held.lock->check(), "renew");
    }
    return still_ours(held, held.lock->renew(lock::Lock::Beat::kAlive), "renew");
  });
}

int holdfast_lock_release(holdfast_lock* lock, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    const HeldSeat held = HF_TRY(held_seat(lock, "release"));
    const auto owned = held.lock->release();
    lock->holder.store(0);
    return still_ours(held, owned, "release");
  });
}

int holdfast_lock_fail_open(holdfast_lock* lock, const char* reason, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    HF_TRY(open_handle(lock, kLockMagic, "lock"));
    HF_TRY(require(reason, "reason"));
    const auto known = run::fail_open_reason({.cause = reason});
    if (!known && std::string_view(reason) != "unknown") {
      return fail(wrong_call("bad-value", "reason",
                             "it is none of those of `holdfast help lock --fail-open`"));
    }
    HF_TRY(
        run::record_fail_open(lock->origin->state().events,
                              {.lock = label_of(lock->id), .reason = known.value_or("unknown")}));
    return HOLDFAST_OK;
  });
}
