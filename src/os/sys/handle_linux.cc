// SPDX-License-Identifier: Apache-2.0
#include "os/sys/handle.h"

#include "os/sys/sys_linux.h"

namespace holdfast::os {

void HandleTraits::close(NativeHandle handle) { sys().close(static_cast<int>(handle)); }

}  // namespace holdfast::os
