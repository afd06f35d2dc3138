// SPDX-License-Identifier: Apache-2.0
#include "os/watch/poll.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

constexpr const char* kPollOp = "wait for";
constexpr const char* kSubject = "events";

// What is left of one limit, whatever interrupts the wait. Elapsed time is subtracted from the
// limit, instead of adding the limit to a time: the longest limit does not overflow.
class Countdown {
 public:
  static Result<Countdown> start(std::optional<milliseconds> limit) {
    // Nothing to measure: no limit, or only a look.
    if (!limit || *limit <= milliseconds(0)) return Countdown(limit, Duration(0));
    return Countdown(limit, HF_TRY(now()));
  }

  // For poll(2): -1 without a limit; one call waits for INT_MAX milliseconds (24 days) at most.
  [[nodiscard]] Result<int> next_timeout() const {
    if (!limit_) return -1;
    const milliseconds left = HF_TRY(remaining());
    return static_cast<int>(
        std::min<milliseconds::rep>(left.count(), std::numeric_limits<int>::max()));
  }
  [[nodiscard]] Result<bool> is_over() const {
    if (!limit_) return false;
    return HF_TRY(remaining()) == milliseconds(0);
  }

 private:
  Countdown(std::optional<milliseconds> limit, Duration started)
      : limit_(limit), started_(started) {}

  static Result<Duration> now() {
    timespec time{};  // of the clock that poll(2) itself uses
    if (sys().clock_gettime(CLOCK_MONOTONIC, &time) != 0)
      return fail(last_os_error(kPollOp, kSubject));
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
  // Whole milliseconds that have passed are taken off, so a wait is never shorter than its limit.
  [[nodiscard]] Result<milliseconds> remaining() const {
    if (*limit_ <= milliseconds(0)) return milliseconds(0);
    const auto passed = std::chrono::floor<milliseconds>(HF_TRY(now()) - started_);
    return std::max(*limit_ - passed, milliseconds(0));
  }

  std::optional<milliseconds> limit_;
  Duration started_;
};

}  // namespace

Result<bool> wait_ready(std::span<const Handle* const> readable,
                        std::span<const Handle* const> writable,
                        std::optional<milliseconds> limit) {
  std::vector<pollfd> items;
  items.reserve(readable.size() + writable.size());
  const auto add = [&](const Handle* handle, short events) {
    if (handle == nullptr || !handle->valid()) return;
    items.push_back({.fd = fd_of(*handle), .events = events, .revents = 0});
  };
  for (const Handle* handle : readable) add(handle, POLLIN);
  for (const Handle* handle : writable) add(handle, POLLOUT);
  const bool only_looks = limit && *limit <= milliseconds(0);
  const Countdown countdown = HF_TRY(Countdown::start(limit));
  for (;;) {
    const int timeout = HF_TRY(countdown.next_timeout());
    const int ready = sys().poll(items.data(), items.size(), timeout);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return fail(last_os_error(kPollOp, kSubject));
    // A signal, the end of one call's longest wait, or the limit. A look that a signal spoilt has
    // not looked yet.
    if (ready < 0 && only_looks) continue;
    if (HF_TRY(countdown.is_over())) return false;
  }
}

Result<bool> wait_readable(std::span<const Handle* const> handles,
                           std::optional<milliseconds> limit) {
  return wait_ready(handles, {}, limit);
}

Result<bool> is_readable(const Handle& handle) { return wait_readable({&handle}, milliseconds(0)); }

Result<bool> is_writable(const Handle& handle) {
  const std::array<const Handle*, 1> only{&handle};
  return wait_ready({}, only, milliseconds(0));
}

Result<bool> is_hung_up(const Handle& read_end) {
  pollfd item{.fd = fd_of(read_end), .events = 0, .revents = 0};
  while (sys().poll(&item, 1, 0) < 0) {
    if (errno != EINTR) return fail(last_os_error(kPollOp, kSubject));
  }
  return (item.revents & POLLHUP) != 0;
}

}  // namespace holdfast::os
