// SPDX-License-Identifier: Apache-2.0
//
// No helper thread: a lock is waited for by an overlapped request (byte_lock_win.h), a process by
// its handle, a flag by an event of this wait; one call waits for all of them.
//
// Two things tell nobody. `moved` is a number in a file, which is looked at every kLookAgain. And
// Wine 8 takes a request for a lock, but never answers it: so the lock is tried at growing pauses
// as well. On Windows the answer comes first.
//
// Hostile interleaving of a flag: it is raised after it was looked at and before the wait. So the
// wait's event is entered in the list of those to be woken first, then the flag is looked at; who
// raises it sets the flag first, and then walks the list.
#include "os/lock/blocked_wait.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <vector>

#include "os/lock/byte_lock_win.h"
#include "os/machine/real_clock.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds(50);
constexpr Duration kFirstWait = std::chrono::milliseconds(1);
constexpr Duration kLongestWait = std::chrono::milliseconds(16);

struct Sleepers {
  std::mutex mutex;
  std::multimap<const Flag*, HANDLE> events;
};
Sleepers& sleepers() {
  static auto* all = new Sleepers;
  return *all;
}

// The event of one wait, in the list as long as this lives.
class FlagWatch {
 public:
  explicit FlagWatch(std::array<const Flag*, 2> flags) : flags_(flags) {
    const HANDLE event = sys().CreateEventW(nullptr, TRUE, FALSE, nullptr);
    if (event == nullptr) return;
    event_ = own(event);
    const std::scoped_lock hold(sleepers().mutex);
    for (const Flag* flag : flags_) {
      if (flag != nullptr) sleepers().events.emplace(flag, event);
    }
  }
  FlagWatch(const FlagWatch&) = delete;
  FlagWatch& operator=(const FlagWatch&) = delete;
  ~FlagWatch() {
    if (!event_.valid()) return;
    const std::scoped_lock hold(sleepers().mutex);
    std::erase_if(sleepers().events,
                  [&](const auto& entry) { return entry.second == handle_of(event_); });
  }
  [[nodiscard]] bool made() const { return event_.valid(); }
  [[nodiscard]] HANDLE event() const { return handle_of(event_); }

 private:
  std::array<const Flag*, 2> flags_;
  Handle event_;
};

OVERLAPPED blocked_wait_at_offset(std::uint64_t offset) {
  OVERLAPPED where{};
  where.Offset = static_cast<DWORD>(offset);
  where.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  return where;
}

DWORD to_ms(Duration pause) {
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(pause).count();
  return static_cast<DWORD>(std::clamp<std::int64_t>(ms, 0, 1'000'000'000));
}

class Wait {
 public:
  Wait(const BlockOn& what, const SharedWord* word, std::uint32_t word_seen, const Flag* cancel,
       std::optional<MonoTime> until)
      : what_(what),
        word_(word),
        word_seen_(word_seen),
        cancel_(cancel),
        until_(until),
        watch_({cancel, what.kind == BlockOn::Kind::kFlag ? what.flag : nullptr}) {}

  Result<Woken> run() {
    if (!watch_.made()) return fail(last_os_error("wait for", "a lock"));
    HF_TRY(begin());
    for (;;) {
      if (const auto woken = HF_TRY(look())) return *woken;
      HF_TRY(sleep());
    }
  }

 private:
  Result<> begin() {
    handles_.push_back(watch_.event());
    switch (what_.kind) {
      case BlockOn::Kind::kByte:
        lock_ = HF_TRY(PendingLock::begin(
            what_.handle, {.offset = what_.offset, .count = what_.count, .share = what_.share}));
        break;
      case BlockOn::Kind::kFlock: {
        LockRange range = kInteropByte;
        range.share = what_.share;
        lock_ = HF_TRY(PendingLock::begin(what_.handle, range));
        break;
      }
      case BlockOn::Kind::kReadable:
        for (const NativeHandle handle : {what_.handle, what_.also}) {
          if (handle == HandleTraits::nothing()) continue;
          ready_.push_back(reinterpret_cast<HANDLE>(handle));
        }
        handles_.insert(handles_.end(), ready_.begin(), ready_.end());
        break;
      case BlockOn::Kind::kFlag:
      case BlockOn::Kind::kNothing:
        break;
    }
    if (lock_) handles_.push_back(lock_->event());
    return {};
  }

  Result<std::optional<Woken>> look() {
    if (lock_ && HF_TRY(lock_->got())) return Woken::kGot;
    for (const HANDLE handle : ready_) {
      if (sys().WaitForSingleObject(handle, 0) == WAIT_OBJECT_0) return Woken::kGot;
    }
    if (what_.kind == BlockOn::Kind::kFlag && what_.flag->raised()) return Woken::kGot;
    if (cancel_ != nullptr && cancel_->raised()) return Woken::kCancelled;
    if (word_ != nullptr && HF_TRY(word_->load()) != word_seen_) return Woken::kMoved;
    if (until_ && clock_.mono() >= *until_) return Woken::kTimedOut;
    return std::nullopt;
  }

  Result<> sleep() {
    Duration pause = std::chrono::hours(1);
    if (word_ != nullptr) pause = kLookAgain;
    if (lock_) {
      pause = std::min(pause, next_pause_);
      next_pause_ = std::min(next_pause_ * 2, kLongestWait);
    }
    if (until_) pause = std::min(pause, std::max(*until_ - clock_.mono(), Duration::zero()));
    const DWORD woken = sys().WaitForMultipleObjects(static_cast<DWORD>(handles_.size()),
                                                     handles_.data(), FALSE, to_ms(pause));
    if (woken == WAIT_FAILED) return fail(last_os_error("wait for", "a lock"));
    return {};
  }

  const BlockOn& what_;
  const SharedWord* word_;
  std::uint32_t word_seen_;
  const Flag* cancel_;
  std::optional<MonoTime> until_;
  FlagWatch watch_;
  RealClock clock_;
  std::unique_ptr<PendingLock> lock_;
  std::vector<HANDLE> ready_;
  std::vector<HANDLE> handles_;
  Duration next_pause_ = kFirstWait;
};

}  // namespace

Result<SharedWord> SharedWord::map(const File& file, std::uint64_t offset) {
  return SharedWord(file.native(), offset, nullptr);
}

SharedWord::~SharedWord() = default;

Result<std::uint32_t> SharedWord::load() const {
  std::uint32_t value = 0;
  DWORD got = 0;
  OVERLAPPED where = blocked_wait_at_offset(offset_);
  const bool read = sys().ReadFile(reinterpret_cast<HANDLE>(handle_), &value, sizeof(value), &got,
                                   &where) != FALSE;
  if (!read && last_error() != ERROR_HANDLE_EOF) return fail(last_os_error("read", "a lock file"));
  if (got != sizeof(value)) return fail(win_error("read", "a lock file", ERROR_HANDLE_EOF));
  return value;
}

Result<> SharedWord::bump() const {
  const std::uint32_t next = HF_TRY(load()) + 1;
  DWORD wrote = 0;
  OVERLAPPED where = blocked_wait_at_offset(offset_);
  if (sys().WriteFile(reinterpret_cast<HANDLE>(handle_), &next, sizeof(next), &wrote, &where) ==
          FALSE ||
      wrote != sizeof(next)) {
    return fail(last_os_error("write", "a lock file"));
  }
  return {};
}

const std::uint32_t* SharedWord::address() const { return nullptr; }

void Flag::raise() {
  word_.store(1);
  const std::scoped_lock hold(sleepers().mutex);
  const auto [first, last] = sleepers().events.equal_range(this);
  for (auto entry = first; entry != last; ++entry) sys().SetEvent(entry->second);
}

// No thread is ever left.
void EndingHelper::keep(pthread_t thread) { thread_ = thread; }
void EndingHelper::join() {
  if (thread_) pthread_join(*thread_, nullptr);
  thread_.reset();
}

Result<Woken> blocked_wait(const BlockOn& what, const SharedWord* word, std::uint32_t word_seen,
                           const Flag* cancel, std::optional<MonoTime> until,
                           EndingHelper* /*ending*/) {
  return Wait(what, word, word_seen, cancel, until).run();
}

}  // namespace holdfast::os
