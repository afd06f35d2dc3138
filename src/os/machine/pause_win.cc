// SPDX-License-Identifier: Apache-2.0
#include "os/machine/pause.h"

#include "os/sys/sys_win.h"

namespace holdfast::os {

// The system counts whole milliseconds; a shorter pause gives up the rest of the time slice.
void pause(Duration duration) {
  sys().Sleep(
      static_cast<DWORD>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()));
}

}  // namespace holdfast::os
