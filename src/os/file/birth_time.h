// SPDX-License-Identifier: Apache-2.0
//
// When a directory was made, by its file system: what tells it from a later one with the same
// number, because inodes are given out again. A rename does not change it.
//
// Limits: not every file system has it, and not every kernel or filter knows the call: 0 then.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

// Nanoseconds since 1970; 0: it is not told.
Result<std::int64_t> birth_time_of(const Dir& dir);

}  // namespace holdfast::os
