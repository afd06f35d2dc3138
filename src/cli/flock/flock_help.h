// SPDX-License-Identifier: Apache-2.0
//
// What `flock -h` and `flock -V` print.
#pragma once

#include <string_view>

namespace holdfast::cli {

inline constexpr std::string_view kFlockVersion =
    "flock from holdfast " HOLDFAST_VERSION ", as in util-linux 2.38.1\n";

inline constexpr std::string_view kFlockHelp = R"(
Usage:
 flock [options] FILE|DIRECTORY COMMAND [ARGUMENT...]
 flock [options] FILE|DIRECTORY -c COMMAND
 flock [options] NUMBER

Runs a command under a lock of a file or directory, or locks an open descriptor.

Options:
 -s, --shared       share the lock with others that share it
 -x, -e, --exclusive
                    keep everybody else out (default)
 -u, --unlock       give the lock up
 -n, --nb, --nonblock
                    do not wait for the lock
 -w, --wait, --timeout SECONDS
                    wait so long and no longer; decimals are allowed
 -E, --conflict-exit-code NUMBER
                    exit with it where the lock was not got (default 1)
 -o, --close        close the lock's descriptor before the command runs
 -F, --no-fork      become the command
 -c, --command COMMAND
                    give the command to $SHELL; stands behind the file
     --verbose      say how long it took, or why the lock was not got
 -h, --help         show this
 -V, --version      show the version

`holdfast help flock` says more.
)";

}  // namespace holdfast::cli
