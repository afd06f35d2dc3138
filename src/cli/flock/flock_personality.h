// SPDX-License-Identifier: Apache-2.0
//
// The `flock` personality: what the program does under the name `flock`, and as `holdfast flock`,
// which is what flock(1) of util-linux 2.41 does (docs/flock.md lists the differences).
//
// Guarantees: it is flock(2), or with --fcntl a lock of bytes of the open file description, on the
// given file, directory or descriptor and nothing else: no
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

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/console.h"
#include "os/lock/user_flock.h"

namespace holdfast::cli {

int run_flock(Console& console, const std::vector<std::string>& argv);

// The command line of flock(1), as util-linux 2.41 reads it; pure.
//
//   flock [OPTION]... FILE|DIRECTORY COMMAND [ARGUMENT]...
//   flock [OPTION]... FILE|DIRECTORY -c COMMAND
//   flock [OPTION]... NUMBER
//
// Options end at the first word that is none, long ones may be shortened while they stay
// unambiguous (getopt_long, the function that the other flock uses, does it), and -c stands behind
// the file: in front of it, it is no option. -h and -V are answered as soon as they are read; a
// wrong option before them is an error, one behind them is not seen.
//
// Errors: kUsage, with cause `unknown-option` (also: ambiguous), `missing-value`, `bad-value`,
// `missing-operand`, `conflicting-options`.
struct FlockRequest {
  os::FlockMode mode = os::FlockMode::kExclusive;
  bool no_wait = false;             // -n, or a time-out below a microsecond
  std::optional<Duration> timeout;  // -w; negative where no timer could take it
  int conflict_code = 1;            // -E
  bool close_first = false;         // -o
  bool no_fork = false;             // -F
  bool verbose = false;
  std::optional<os::UserRange> range{};  // --fcntl, which --start and --length imply
  std::string file;                      // of the first two forms, which have a command
  int descriptor = -1;                   // of the third
  std::vector<std::string> command;      // empty: the third form
};

enum class FlockAbout : std::uint8_t { kHelp, kVersion };

using FlockLine = std::variant<FlockRequest, FlockAbout>;

// `shell`: $SHELL, for -c; /bin/sh where it is unset or empty.
Result<FlockLine> parse_flock(const std::vector<std::string>& argv,
                              const std::optional<std::string>& shell);

}  // namespace holdfast::cli
