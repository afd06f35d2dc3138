// SPDX-License-Identifier: Apache-2.0
//
// Waiting for any of several handles to become readable (or to hang up, which reads as the end).
// One call may wait for ever only where a handle is a timer that ends the wait: promise 6.
#pragma once

#include <chrono>
#include <initializer_list>
#include <optional>

#include "base/result.h"
#include "os/handle.h"

namespace holdfast::os {

// Returns when one is readable or `limit` has passed. A null or empty handle is left out. It does
// not say which: the callers read without blocking anyway. False: the limit passed. The limit is of
// the whole call, signals or not, and counts without suspend; zero or less only looks.
Result<bool> wait_readable(std::initializer_list<const Handle*> handles,
                           std::optional<std::chrono::milliseconds> limit);

Result<bool> is_readable(const Handle& handle);

}  // namespace holdfast::os
