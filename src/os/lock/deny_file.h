// SPDX-License-Identifier: Apache-2.0
//
// A file whose being open is the lock: whoever opens it denies it to others, and a child that
// inherits the handle denies it as well, until the last of them has ended. (Linux has locks of open
// file descriptions instead, which a child inherits: os/lock/byte_lock.h.)
//
// Guarantee: exclusively opened, nobody else has it open; shared, nobody else has it exclusively.
// The kernel gives it back when the last handle is closed, however its process ends. Nothing is
// written into the file, and no link is followed: one in the way is kRefused `is-link`, and what it
// leads to is left alone. What is open can be neither removed nor renamed.
//
// Limits: it cannot be waited for, only tried again. A try that finds it free has it for a moment,
// so every try is made a few times before "another has it" is said. A killed process may let go
// some milliseconds after its end.
//
// Errors: os_error.h; kRefused `is-link`, `not-a-regular-file`. Platform: Windows only.
#pragma once

#include <optional>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/lock/byte_lock.h"
#include "os/sys/handle.h"

namespace holdfast::os {

// Made where it is missing, for this user alone. nullopt: another has it.
Result<std::optional<Handle>> open_denying(const Dir& dir, const SafeName& name, Share share);

// Would open_denying be refused? A file that is not there is denied to nobody.
Result<bool> is_denied(const Dir& dir, const SafeName& name, Share share);

// Closes what was opened exclusively and removes the name with it. Where a child has a copy, the
// name stays denied until that is closed; where Windows can do it, it goes at once all the same.
void close_and_remove(Handle handle);

}  // namespace holdfast::os
