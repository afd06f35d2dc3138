// SPDX-License-Identifier: Apache-2.0
#include "os/watch/boot_timer.h"

#include <sys/timerfd.h>

#include <algorithm>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<BootTimer> BootTimer::create() {
  const int fd = sys().timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (fd < 0) return fail(last_os_error("make", "a timer"));
  return BootTimer(Handle(fd));
}

Result<> BootTimer::set(std::optional<BootTime> moment) {
  itimerspec value{};
  if (moment) {
    // All zero would disarm it.
    const auto at = std::max(moment->time_since_epoch(), Duration(1));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at);
    value.it_value = {.tv_sec = seconds.count(), .tv_nsec = (at - seconds).count()};
  }
  if (sys().timerfd_settime(fd_of(handle_), TFD_TIMER_ABSTIME, &value, nullptr) == 0) return {};
  return fail(last_os_error("set", "a timer"));
}

}  // namespace holdfast::os
