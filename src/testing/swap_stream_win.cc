// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include "testing/swap_stream.h"

namespace holdfast::testing {

constexpr DWORD kStdError = 0xFFFFFFF4U;

void ignore_broken_pipes() {}  // no signal here

SwappedStderr::SwappedStderr(const os::Handle& instead)
    : before_(reinterpret_cast<os::NativeHandle>(::GetStdHandle(kStdError))) {
  ::SetStdHandle(kStdError, reinterpret_cast<HANDLE>(instead.get()));
}

SwappedStderr::~SwappedStderr() { ::SetStdHandle(kStdError, reinterpret_cast<HANDLE>(before_)); }

}  // namespace holdfast::testing
