#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The name of the program decides: called `flock`, it never reads its words as holdfast commands and makes no home;
# any other name is holdfast.
. "$(dirname -- "$0")/../../lib/lib.sh"

ln -s "$HOLDFAST" flock
expect_code 0 ./flock --version
expect_stdout_contains 'flock from holdfast'
expect_code 64 ./flock journal
expect_stderr_contains 'flock: cannot use descriptor'
expect_code 3 ./flock file sh -c 'exit 3'
expect_no_stderr
[ -f file ] || fail 'there is no lock file'
[ ! -s file ] || fail 'the lock file was written'
[ ! -e "$HOLDFAST_HOME" ] || fail 'flock made a home'

ln -s "$HOLDFAST" hf
expect_code 0 ./hf --version
expect_stdout_contains 'holdfast '
