// SPDX-License-Identifier: Apache-2.0
//
// Old versions beside the file: `NAME.bak-20261115T140253.123Z`, the newest N of them.
//
// The name of a new one is always behind those of all others, also where the clock was set back, so
// that the order of names is the order of time.
//
// Guarantee: a backup is the whole old file with its owner, mode and attributes. Only names of
// exactly this shape are counted and removed. Limit: a crash between the swap and this leaves the
// new file without a backup (the old content is then in a `.hf-stage-…`).
//
// Errors: kRefused `unsafe-name` where NAME is too long for the ending: ask first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "file/replace/target.h"
#include "os/file/file.h"

namespace holdfast::file {

// The name that a backup made at `now` gets where no other is in its way.
Result<os::SafeName> backup_name(const os::SafeName& name, WallTime now);
bool is_backup_of(std::string_view entry, const os::SafeName& name);

// The file that has the name `displaced` becomes the backup.
Result<os::SafeName> keep_displaced(const os::Dir& dir, const os::SafeName& displaced,
                                    const os::SafeName& name, WallTime now);
// A copy, for where the old file will be overwritten, or must be safe before anything changes.
// Where owner or attributes cannot be given to it, it is the caller's own and private.
Result<os::SafeName> keep_copy(const os::Dir& dir, const os::File& old, const os::SafeName& name,
                               WallTime now);

// What a write in place that was cut short has left, `NAME.cut-TIME`: the newest three, beside the
// backups that were asked for and never at their cost.
inline constexpr std::uint32_t kMostCutShort = 3;
Result<> keep_cut_short(const os::Dir& dir, const os::File& present, const os::SafeName& name,
                        WallTime now);

// Removes the oldest beyond `most`. What cannot be removed stays for the next time.
void prune_backups(const os::Dir& dir, const os::SafeName& name, std::uint32_t most, WallTime now);

}  // namespace holdfast::file
