// SPDX-License-Identifier: Apache-2.0
//
// The command line of flock(1), as util-linux 2.38 reads it; pure.
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
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/lock/user_flock.h"

namespace holdfast::cli {

struct FlockRequest {
  os::FlockMode mode = os::FlockMode::kExclusive;
  bool no_wait = false;             // -n, or a time-out below a microsecond
  std::optional<Duration> timeout;  // -w; negative where no timer could take it
  int conflict_code = 1;            // -E
  bool close_first = false;         // -o
  bool no_fork = false;             // -F
  bool verbose = false;
  std::string file;                  // of the first two forms, which have a command
  int descriptor = -1;               // of the third
  std::vector<std::string> command;  // empty: the third form
};

enum class FlockAbout : std::uint8_t { kHelp, kVersion };

using FlockLine = std::variant<FlockRequest, FlockAbout>;

// `shell`: $SHELL, for -c; /bin/sh where it is unset or empty.
Result<FlockLine> parse_flock(const std::vector<std::string>& argv,
                              const std::optional<std::string>& shell);

}  // namespace holdfast::cli
