// SPDX-License-Identifier: Apache-2.0
//
// What one start of this program hands over to another (supervise/hosted_program.h). Windows only.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// The handle of that value, which the starter has made inheritable; from here on it is not.
// kRefused `bad-descriptor` where it is no open pipe.
Result<Handle> adopt_handed_over(std::uint64_t value);

// A variable of this process's own environment, taken away.
Result<> take_env_away(const char* name);

// To write to and read from: NUL.
Result<Handle> open_nothing();

}  // namespace holdfast::os
