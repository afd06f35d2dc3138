// SPDX-License-Identifier: Apache-2.0
#include "os/machine/pause.h"

#include "os/sys/sys_linux.h"

namespace holdfast::os {

void pause(Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const timespec time{.tv_sec = seconds.count(), .tv_nsec = (duration - seconds).count()};
  sys().nanosleep(&time, nullptr);
}

}  // namespace holdfast::os
