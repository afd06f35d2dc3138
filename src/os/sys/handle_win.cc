// SPDX-License-Identifier: Apache-2.0
#include "os/sys/handle.h"

#include "os/lock/byte_lock_win.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {

void HandleTraits::close(NativeHandle handle) {
  forget_locks(handle);
  sys().CloseHandle(reinterpret_cast<HANDLE>(handle));
}

}  // namespace holdfast::os
