// SPDX-License-Identifier: Apache-2.0
//
// Waiting for any of several handles to become readable (or to hang up, which reads as the end).
// One call may wait for ever only where a handle is a timer that ends the wait: promise 6.
#pragma once

#include <chrono>
#include <initializer_list>
#include <optional>
#include <span>

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// Returns when one is readable or `limit` has passed. A null or empty handle is left out. It does
// not say which: the callers read without blocking anyway. False: the limit passed. The limit is of
// the whole call, signals or not, and counts without suspend; zero or less only looks.
Result<bool> wait_readable(std::span<const Handle* const> handles,
                           std::optional<std::chrono::milliseconds> limit);
inline Result<bool> wait_readable(std::initializer_list<const Handle*> handles,
                                  std::optional<std::chrono::milliseconds> limit) {
  return wait_readable(std::span(handles.begin(), handles.size()), limit);
}

// The same for who also has something to write: returns as well when one of `writable` would take a
// byte, or when nobody will ever read it.
Result<bool> wait_ready(std::span<const Handle* const> readable,
                        std::span<const Handle* const> writable,
                        std::optional<std::chrono::milliseconds> limit);

Result<bool> is_readable(const Handle& handle);
Result<bool> is_writable(const Handle& handle);

// Of the reading end of a pipe: nobody holds a writing end any more, whether or not there is still
// something to read. Never waits.
Result<bool> is_hung_up(const Handle& read_end);

}  // namespace holdfast::os
