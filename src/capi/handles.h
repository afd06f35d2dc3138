// SPDX-License-Identifier: Apache-2.0
//
// What stands behind the handles of the C library, and what of it survives a fork.
//
// The hostile interleavings. A thread holds a mutex of ours while another forks: the child has a
// mutex that nobody will ever unlock. And the child uses or closes a lock of its parent. So all that
// a call uses is kept in a PerProcess: the child finds, by a mark that the kernel empties in it, that
// the content is its parent's, leaves it where it is for ever, and makes its own.
#pragma once

#include "holdfast/holdfast.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/event.h"
#include "base/result.h"
#include "capi/boundary.h"
#include "lock/grant/backend.h"
#include "os/lock/blocked_wait.h"
#include "os/machine/real_clock.h"
#include "os/process/fork_shut.h"
#include "os/process/pid.h"
#include "runtime/runtime.h"

namespace holdfast::capi {

// T has the `mark` of the process that made it.
template <typename T>
class PerProcess {
 public:
  PerProcess() = default;
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;
  ~PerProcess() { delete mine(); }

  // Null: there is none in this process.
  [[nodiscard]] T* mine() const {
    T* const known = now_.load(std::memory_order_acquire);
    return known != nullptr && known->mark == os::process_mark() ? known : nullptr;
  }

  template <typename Make>
  T& get(const Make& make) {
    T* known = now_.load(std::memory_order_acquire);
    if (known != nullptr && known->mark == os::process_mark()) return *known;
    std::unique_ptr<T> fresh = make();
    if (now_.compare_exchange_strong(known, fresh.get())) return *fresh.release();
    return *known;  // another thread of this process was faster
  }

 private:
  std::atomic<T*> now_{nullptr};
};

// The journal of a home, for all threads. Opened when there is something to say.
class Events final : public EventSink {
 public:
  using OpenJournal = std::function<Result<std::unique_ptr<journal::Journal>>()>;
  explicit Events(OpenJournal open) : open_(std::move(open)) {}

  Result<EventReceipt> record(const Event& event) override;
  Result<> flush();

 private:
  Result<journal::Journal*> journal();

  OpenJournal open_;
  std::mutex mutex_;
  std::unique_ptr<journal::Journal> journal_;
};

class Origin;

// A home as one process uses it.
struct State {
  explicit State(const Origin& origin);

  Result<lock::LocalBackend*> locks();
  // For one call, and for its thread alone. Never null.
  std::unique_ptr<runtime::Runtime> for_call();
  const std::string& command();  // what this process runs, for people

  std::int64_t mark = os::process_mark();
  const Origin& origin;
  os::RealClock clock;
  std::mutex mutex;  // of what follows
  runtime::Runtime runtime;
  std::optional<std::string> command_known;
  Events events;
};

// What holdfast_open was told. The environment of that moment counts.
class Origin {
 public:
  static Result<std::shared_ptr<Origin>> make(const char* home, const holdfast_options& options);

  State& state() {
    return state_.get([this] { return std::make_unique<State>(*this); });
  }
  // Null: nothing was used in this process.
  State* used() { return state_.mine(); }

  [[nodiscard]] lock::AnyFileSystem any() const {
    return any_file_system_ ? lock::AnyFileSystem::kAllow : lock::AnyFileSystem::kRefuse;
  }
  [[nodiscard]] const LockChain& chain() const { return chain_; }
  [[nodiscard]] const std::string& program() const { return program_; }
  [[nodiscard]] const std::optional<std::string>& home() const { return home_; }
  [[nodiscard]] const EnvLookup& env() const { return env_; }

 private:
  Origin() = default;

  std::optional<std::string> home_;
  EnvLookup env_;
  bool any_file_system_ = false;
  LockChain chain_;
  std::string program_;
  PerProcess<State> state_;
};

// One seat at a lock, as one process uses it.
struct Seat {
  Seat(std::shared_ptr<Origin> from, lock::LockId lock_id)
      : origin(std::move(from)), id(std::move(lock_id)) {}

  // Opens it where it is not open. Under `mutex`.
  Result<lock::Lock*> lock();

  std::int64_t mark = os::process_mark();
  std::shared_ptr<Origin> origin;
  lock::LockId id;
  std::mutex mutex;      // of what follows; not held while somebody waits for the lock
  bool waiting = false;  // in acquire: nobody else may touch it
  std::unique_ptr<lock::Lock> opened;
  os::ForkShut shut;
  lock::AcquireOutcome outcome;  // of the last grant
};

inline constexpr std::uint32_t kHomeMagic = 0x68664831;
inline constexpr std::uint32_t kLockMagic = 0x68664c31;
inline constexpr std::uint32_t kCancelMagic = 0x68664331;
inline constexpr std::uint32_t kClosedMagic = 0xdeadc105;

template <typename Handle>
Result<Handle*> open_handle(Handle* handle, std::uint32_t magic, std::string_view name) {
  HF_TRY(require(handle, name));
  if (handle->magic == magic) return handle;
  return fail(wrong_call("bad-handle", name, "it was closed, or never opened"));
}

}  // namespace holdfast::capi

struct holdfast_home {
  std::uint32_t magic = holdfast::capi::kHomeMagic;
  std::shared_ptr<holdfast::capi::Origin> origin;
};
struct holdfast_cancel {
  std::uint32_t magic = holdfast::capi::kCancelMagic;
  holdfast::os::Flag flag;
};
struct holdfast_lock {
  std::uint32_t magic = holdfast::capi::kLockMagic;
  std::shared_ptr<holdfast::capi::Origin> origin;
  holdfast::lock::LockId id;
  std::atomic<std::int64_t> holder{0};  // the mark of the process that holds it by this handle
  holdfast::capi::PerProcess<holdfast::capi::Seat> seats;

  holdfast::capi::Seat& seat() {
    return seats.get([this] { return std::make_unique<holdfast::capi::Seat>(origin, id); });
  }
};

namespace holdfast::capi {

Result<State*> state_of(holdfast_home* handle);

// From the arguments of a call. Errors: kUsage.
Result<lock::LockId> lock_id_of(int kind, const char* name);
std::string label_of(const lock::LockId& id);

// The flag of a cancel, or null.
Result<const os::Flag*> flag_of(holdfast_cancel* cancel);

// The lock that is held by this handle now. Errors: kRefused `forked`, kNotFound `not-held`, kUsage
// `in-use`. The seat's mutex is held by `held`.
struct HeldSeat {
  Seat* seat;
  lock::Lock* lock;
  std::unique_lock<std::mutex> held;
};
Result<HeldSeat> held_seat(holdfast_lock* handle, std::string_view op);

}  // namespace holdfast::capi
