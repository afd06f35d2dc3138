// SPDX-License-Identifier: Apache-2.0
#include "os/handle.h"

#include "os/byte_lock_win.h"
#include "os/sys_win.h"

namespace holdfast::os {

void HandleTraits::close(NativeHandle handle) {
  forget_locks(handle);
  sys().CloseHandle(reinterpret_cast<HANDLE>(handle));
}

}  // namespace holdfast::os
