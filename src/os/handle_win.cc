// SPDX-License-Identifier: Apache-2.0
#include "os/handle.h"

#include "os/sys_win.h"

namespace holdfast::os {

void HandleTraits::close(NativeHandle handle) {
  sys().CloseHandle(reinterpret_cast<HANDLE>(handle));
}

}  // namespace holdfast::os
