#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `holdfast` alone is a usage error: a short usage on stderr, nothing on stdout, 64.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST"
expect_no_stdout
expect_stderr_contains 'usage: holdfast COMMAND'
expect_stderr_contains 'holdfast help'
[ "$(wc -l <"$stderr")" -le 5 ] || fail 'the short usage is not short'

expect_code 64 "$HOLDFAST" -q
expect_no_stdout
expect_code 64 "$HOLDFAST" --home "$scratch"
expect_no_stdout
expect_code 64 "$HOLDFAST" --home
expect_stderr_contains 'its value DIR is missing'
