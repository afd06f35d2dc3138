// SPDX-License-Identifier: Apache-2.0
//
// Handle: the owner of one open kernel object (a descriptor; a HANDLE on Windows).
//
// Every handle is close-on-exec (not inheritable) from birth; a child gets one only where code
// passes it on purpose. -1 is "nothing" on both platforms. A destructor cannot report a failing
// close: whoever wrote through a handle and cares calls File::close().
#pragma once

#include <cstdint>

#include "base/scoped.h"

namespace holdfast::os {

using NativeHandle = std::intptr_t;

struct HandleTraits {
  using Value = NativeHandle;
  static NativeHandle nothing() { return -1; }
  static void close(NativeHandle handle);
};

using Handle = Scoped<HandleTraits>;

}  // namespace holdfast::os
