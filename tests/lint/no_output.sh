#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Library code never prints and never exits: it returns a Result, and src/cli alone owns the streams and
# the exit code. (The raw _exit of a forked child is a call of src/os's table.)
. "$(dirname -- "$0")/lib.sh"

library=$(mktemp) || exit 70
trap 'rm -f "$found" "$library"' EXIT
tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -name '*_test.cc' \
  ! -path './src/cli/*' ! -path './src/testing/*' | code no_output >"$library"
before='(^|[^A-Za-z0-9_.>])'  # not a longer name, not a member

grep -E "$before(std::)?(v?f?printf|puts|fputs|putchar|perror|fwrite)[ ]*\\(" "$library" |
  report 'library code prints'
grep -E '(fmt|std)::(print|println)[ ]*\(|std::(cout|cerr|clog)([^A-Za-z0-9_]|$)' "$library" |
  report 'library code prints'
grep -E "$before(std::|::)?(exit|_exit|_Exit|quick_exit|abort)[ ]*\\(|std::terminate[ ]*\\(" "$library" |
  report 'library code ends the process'
verdict
