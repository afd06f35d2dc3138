// SPDX-License-Identifier: Apache-2.0
//
// The copy of a damaged ledger, `NAME.corrupt-20261115T140253.123Z`, kept beside it for a person to
// look at. It has the same bytes, owner and mode, and is on stable storage before the call returns.
//
// A copy with the same bytes that is there already (of a repair that was cut short) is used again.
// None is ever removed or overwritten. The caller holds the directory's lock.
//
// Errors: kRefused `too-many-copies` where kMostDamagedCopies are there; `unsafe-name` where NAME
// is too long for the ending; kIo where the copy is not on stable storage for certain. Never
// kNotDurable: that is said of a ledger that was mended.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "file/replace/target.h"
#include "os/file/file.h"

namespace holdfast::file {

// `bytes` are the content of `damaged`. Returns the copy's name.
Result<std::string> keep_damaged_copy(const Target& target, const os::File& damaged,
                                      std::string_view bytes, WallTime now);

}  // namespace holdfast::file
