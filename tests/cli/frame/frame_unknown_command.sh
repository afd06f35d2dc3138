#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An unknown command or option is a usage error (64) that names the nearest one, in one line.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" hlep
expect_no_stdout
expect_stderr_contains "cannot find the command 'hlep'"
expect_stderr_contains 'did you mean help?'
[ "$(wc -l <"$stderr")" -eq 1 ] || fail 'more than one line'

expect_code 64 "$HOLDFAST" frobnicate
expect_stderr_contains 'holdfast help'

expect_code 64 "$HOLDFAST" help --jsno
expect_stderr_contains 'did you mean --json?'

expect_code 64 "$HOLDFAST" --hme x help
expect_stderr_contains 'did you mean --home?'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a wrong command line made a home'
