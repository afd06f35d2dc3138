// SPDX-License-Identifier: Apache-2.0
//
// A handle that turns readable once a file is written to, cut, changed in its attributes, removed,
// renamed, or replaced by another under its name. It stays readable: for the next change, make
// another one.
//
// Sequence: watch, then look at the file, then wait: what changes in between is not missed.
//
// Errors: kOsRefused: no watches are left for this user (`emfile`, `enospc`), the kernel or a
// filter lacks them (`enosys`), or there is no /proc (`enoent`), because the file is watched by its
// handle and never by a name that may lead elsewhere by now. Windows:
// also when anything else in its directory changes.
#pragma once

#include "base/result.h"
#include "os/file/file.h"
#include "os/sys/handle.h"

namespace holdfast::os {

Result<Handle> watch_file(const File& file);

}  // namespace holdfast::os
