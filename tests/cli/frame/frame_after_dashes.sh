#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Nothing after `--` is read as an option, a common one included.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" help -- --version
expect_no_stdout
expect_stderr_contains "find help on '--version'"

expect_code 64 "$HOLDFAST" help -- --json
expect_no_stdout

expect_code 64 "$HOLDFAST" -- --version
expect_no_stdout
expect_stderr_contains 'usage: holdfast'

expect_code 0 "$HOLDFAST" help -- exit-codes
expect_stdout_contains 'holdfast exit-codes - '
