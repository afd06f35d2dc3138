// SPDX-License-Identifier: Apache-2.0
//
// enter_background: a child by fork becomes a process that nobody waits for and nothing reaches but
// what is sent to it by number.
//
// Guarantee, after success: it leads a session of its own, without a terminal. It stands in `/`, so
// that no file system is kept from being unmounted by it. Its standard streams are /dev/null, and
// every descriptor that came into the program from outside is closed: who reads the other end of a
// pipe (`$(…)` of a shell) sees its end. `ps` shows it as `name` (15 bytes of it).
//
// What came from outside is told from what this program opened by close-on-exec: its own have it
// from birth (handle.h), and what has come through an exec cannot have it.
//
// Limit: for a program with one thread, right after the fork. After an error the process is half
// way; all it can do is say so and exit.
// Errors: `no-proc` where /proc does not show the descriptors; else os_error.h. Platform: Linux.
#pragma once

#include <string_view>

#include "base/result.h"

namespace holdfast::os {

Result<> enter_background(std::string_view name);

}  // namespace holdfast::os
