// SPDX-License-Identifier: Apache-2.0
//
// Whom `kill` means: the process of an old pid file, read so that nobody else can put a number into
// it, or the command of a session.
//
// Refused (77), before a number of a file is believed: a link or anything but a plain file (`is-link`,
// `not-a-regular-file`), a file of another user than the caller and root (`foreign-owner`), one
// that others may write to (`writable-by-others`), one with a second name (`hard-links`), and one
// in a directory where others may exchange it (`unsafe-directory`; a sticky one like /tmp is fine).
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"
#include "format/session/process_identity.h"
#include "format/session/session_record.h"
#include "proc/identity/pid_file.h"
#include "proc/kill/kill.h"

namespace holdfast::cli {

// A file that holds a whole identity needs no further evidence.
using PidFileContent = std::variant<IdentityRecord, proc::PidFileClaim>;

// From --pidfile, --started-after and --starttime. Errors: as above; kNotFound; kCannotTell,
// `file-changed`, where it is written to meanwhile, and `network-file-system`, where its time is of
// another machine's clock; kCorrupt and kCannotTell of an identity.
Result<PidFileContent> read_pid_file(const Args& args, const Clock& clock);

// `kill NAME`: the command of a session, whose record is believed as far as `stop` believes it
// (run/orphan/orphan_proof.h). A record that is refuted is answered as a mismatch, and journaled.
Result<int> kill_session(Context& context, const std::string& name, proc::KillOrder order);

}  // namespace holdfast::cli
