// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the waiter is about to call flock, the signal comes, its handler runs
// and returns, and only then flock is entered: it would block for ever, for the one signal is
// spent. So the timer repeats: each signal that comes outside the call is followed by another. The
// handler does nothing; that it ran is what interrupts, as it is set without SA_RESTART. Whether
// the time is up is told by the clock alone, so a signal that somebody else sends ends nothing.
//
// The other end: the lock is got, and a signal is on its way while SIGALRM gets its old action
// back, which may be to die. The timer goes first: what it sent until then is pending at the latest
// when timer_delete returns, and is delivered on that return, to the handler that does nothing.
#include "os/lock/wait_limit.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr Duration kRepeat = std::chrono::milliseconds(10);
constexpr Duration kLongest = std::chrono::hours(24 * 365 * 100);

void do_nothing(int /*signal*/) {}

timespec wait_limit_to_timespec(Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {.tv_sec = seconds.count(), .tv_nsec = (duration - seconds).count()};
}

Duration monotonic_now() {
  timespec now{};
  sys().clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + Duration(now.tv_nsec);
}

}  // namespace

// Undone by the destructor, as far as it got.
struct WaitLimit::Armed {
  Armed() = default;
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;
  ~Armed() {
    if (timer_made) sys().timer_delete(timer);
    if (mask_set) sys().sigprocmask(SIG_SETMASK, &mask_before, nullptr);
    if (action_set) sys().sigaction(SIGALRM, &action_before, nullptr);
  }
  // False with errno.
  bool arm(Duration deadline);

  struct sigaction action_before{};
  sigset_t mask_before{};
  timer_t timer{};
  bool action_set = false;
  bool mask_set = false;
  bool timer_made = false;
};

WaitLimit::WaitLimit(Duration deadline) : deadline_(deadline), armed_(std::make_unique<Armed>()) {}
WaitLimit::~WaitLimit() = default;

Result<std::unique_ptr<WaitLimit>> WaitLimit::start(Duration limit) {
  constexpr const char* kOp = "set up";
  constexpr const char* kSubject = "a timer";
  if (limit < Duration::zero()) return fail(os_error(kOp, kSubject, EINVAL));
  std::unique_ptr<WaitLimit> made(new WaitLimit(monotonic_now() + std::min(limit, kLongest)));
  if (made->armed_->arm(made->deadline_)) return made;
  Error error = last_os_error(kOp, kSubject);
  error.code = ErrorCode::kOsRefused;  // its EAGAIN is a limit reached, not "busy"
  return fail(std::move(error));
}

bool WaitLimit::Armed::arm(Duration deadline) {
  struct sigaction action{};
  action.sa_handler = do_nothing;
  action_set = sys().sigaction(SIGALRM, &action, &action_before) == 0;
  if (!action_set) return false;
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  mask_set = sys().sigprocmask(SIG_UNBLOCK, &alarm, &mask_before) == 0;
  if (!mask_set) return false;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  timer_made = sys().timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  if (!timer_made) return false;
  const itimerspec when{.it_interval = wait_limit_to_timespec(kRepeat),
                        .it_value = wait_limit_to_timespec(deadline)};
  return sys().timer_settime(timer, TIMER_ABSTIME, &when, nullptr) == 0;
}

bool WaitLimit::passed() const { return monotonic_now() >= deadline_; }

}  // namespace holdfast::os
