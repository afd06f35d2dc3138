// SPDX-License-Identifier: Apache-2.0
//
// The `flock` personality: what the program does under the name `flock`, which is what flock(1) of
// util-linux 2.38 does (docs/flock.md lists the differences).
//
// Guarantees: it is flock(2) on the given file, directory or descriptor and nothing else: no
// record, no lease, no fence, no event, no home; nothing is written into the file. The command runs
// only under the lock (with -u: after the unlock), with the environment, signals and descriptors of
// the caller, and the lock's descriptor unless -o. Whoever flocks the same file is excluded,
// util-linux and holdfast's own sidecar locks (`--file`) among them.
//
// The wait of -w is one blocking call and one timer (os/lock/user_flock.h).
//
// Exit status: the command's own, 128+N where it died of signal N; 1 or -E where the lock was not
// got; else those of sysexits.h, which are not holdfast's: 64 usage, 65 the lock failed, 66 the
// file cannot be opened, 69 the command cannot be executed, 71 a limit or no memory, 73 the file
// cannot be created (read-only, full). 1 also where stdout, with --verbose, -h or -V, cannot be
// written.
//
// Limit: the process must be as the caller left it, so main() does not adopt the standard streams
// before (os/stream/stdio.h): a closed descriptor 0 is "bad file descriptor" here, and an ignored SIGPIPE
// stays ignored in the command.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/console.h"

namespace holdfast::cli {

int run_flock(Console& console, const std::vector<std::string>& argv);

}  // namespace holdfast::cli
