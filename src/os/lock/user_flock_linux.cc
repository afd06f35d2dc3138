// SPDX-License-Identifier: Apache-2.0
#include "os/lock/user_flock.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr mode_t kMode = 0666;
constexpr int kFirstOfOurs = STDERR_FILENO + 1;

int operation_of(FlockMode mode, bool no_wait) {
  const int kind = mode == FlockMode::kShared      ? LOCK_SH
                   : mode == FlockMode::kExclusive ? LOCK_EX
                                                   : LOCK_UN;
  return no_wait ? kind | LOCK_NB : kind;
}

Handle user_flock_open_at(const std::string& path, int flags) {
  return Handle(retry_eintr([&] { return sys().openat(AT_FDCWD, path.c_str(), flags, kMode); }));
}

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

Result<Handle> open_user_lock(const std::string& path, LockFileAccess access) {
  constexpr const char* kOp = "open lock file";
  const bool both = access == LockFileAccess::kReadWrite;
  const int how = both ? O_RDWR : access == LockFileAccess::kWrite ? O_WRONLY : O_RDONLY;
  Handle opened = user_flock_open_at(path, how | O_CREAT | O_NOCTTY);
  if (!opened.valid() && errno == EISDIR && !both)
    opened = user_flock_open_at(path, O_RDONLY | O_NOCTTY);
  if (!opened.valid()) return fail(last_os_error(kOp, path));
  if (fd_of(opened) >= kFirstOfOurs) return opened;
  Handle higher(sys().fcntl_dupfd(fd_of(opened), kFirstOfOurs));
  if (!higher.valid()) return fail(last_os_error(kOp, path));
  return higher;
}

bool may_read_and_write(const std::string& path) {
  return sys().faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, 0) == 0;
}

namespace {

// `call` blocks, or not, as `wait` says; EACCES is what fcntl(2) may say for EAGAIN.
template <typename Call>
Result<FlockAnswer> user_lock_by(const Call& call, const FlockWait& wait,
                                 const std::string& subject) {
  for (;;) {
    if (call() == 0) return FlockAnswer::kDone;
    if (errno == EWOULDBLOCK || errno == EACCES) return FlockAnswer::kHeldByAnother;
    if (errno != EINTR) return fail(last_os_error("lock", subject));
    if (wait.limit != nullptr && wait.limit->passed()) return FlockAnswer::kTimeIsUp;
  }
}

short fcntl_type_of(FlockMode mode) {
  if (mode == FlockMode::kUnlock) return F_UNLCK;
  return mode == FlockMode::kShared ? F_RDLCK : F_WRLCK;
}

}  // namespace

Result<FlockAnswer> flock_user_lock(NativeHandle descriptor, FlockMode mode, const FlockWait& wait,
                                    const std::string& subject) {
  const int operation = operation_of(mode, wait.no_wait);
  const auto call = [&] { return sys().flock(static_cast<int>(descriptor), operation); };
  return user_lock_by(call, wait, subject);
}

Result<FlockAnswer> fcntl_user_lock(NativeHandle descriptor, FlockMode mode, const UserRange& range,
                                    const FlockWait& wait, const std::string& subject) {
  const int command = wait.no_wait ? F_OFD_SETLK : F_OFD_SETLKW;
  const auto call = [&] {
    struct flock bytes{};
    bytes.l_type = fcntl_type_of(mode);
    bytes.l_whence = SEEK_SET;
    bytes.l_start = static_cast<off_t>(range.start);
    bytes.l_len = static_cast<off_t>(range.length);
    return sys().ofd_lock(static_cast<int>(descriptor), command, &bytes);
  };
  return user_lock_by(call, wait, subject);
}

// The hostile interleaving: the waiter is about to call flock, the signal comes, its handler runs
// and returns, and only then flock is entered: it would block for ever, for the one signal is
// spent. So the timer repeats: each signal that comes outside the call is followed by another. The
// handler does nothing; that it ran is what interrupts, as it is set without SA_RESTART. Whether
// the time is up is told by the clock alone, so a signal that somebody else sends ends nothing.
//
// The other end: the lock is got, and a signal is on its way while SIGALRM gets its old action
// back, which may be to die. The timer goes first: what it sent until then is pending at the latest
// when timer_delete returns, and is delivered on that return, to the handler that does nothing.

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
