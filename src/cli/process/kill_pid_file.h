// SPDX-License-Identifier: Apache-2.0
//
// An old pid file, read so that nobody else can put a number into it.
//
// Refused (77), before a number is believed: a link or anything but a plain file (`is-link`,
// `not-a-regular-file`), a file of another user than the caller and root (`foreign-owner`), one
// that others may write to (`writable-by-others`), one with a second name (`hard-links`), and one
// in a directory where others may exchange it (`unsafe-directory`; a sticky one like /tmp is fine).
#pragma once

#include <string>
#include <variant>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "format/session/process_identity.h"
#include "proc/identity/pid_file.h"

namespace holdfast::cli {

// A file that holds a whole identity needs no further evidence.
using PidFileContent = std::variant<IdentityRecord, proc::PidFileClaim>;

// From --pidfile, --started-after and --starttime. Errors: as above; kNotFound; kCannotTell,
// `file-changed`, where it is written to meanwhile, and `network-file-system`, where its time is of
// another machine's clock; kCorrupt and kCannotTell of an identity.
Result<PidFileContent> read_pid_file(const Args& args, const Clock& clock);

}  // namespace holdfast::cli
