// SPDX-License-Identifier: Apache-2.0
//
// flock(2) is a call of Unix, and what a script does with it (descriptors by number, locks that a
// child inherits) has no counterpart here.
#include "cli/flock/flock_personality.h"

#include "base/exit_code.h"

namespace holdfast::cli {

int run_flock(Console& console, const std::vector<std::string>& /*argv*/) {
  const auto written = console.write(
      os::Stream::kErr,
      "flock: unsupported: there is no flock on Windows; use `holdfast lock --file PATH -- CMD`\n");
  static_cast<void>(written);  // there is nobody left to tell; the exit status remains
  return to_int(ExitCode::kCannotTell);
}

}  // namespace holdfast::cli
