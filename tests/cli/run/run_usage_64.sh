#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A deadline of nothing and a descriptor that is not there are refused before anything starts.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" run --timeout 0 -- touch ran
expect_stderr_contains 'more than 0'
expect_code 64 "$HOLDFAST" run --timeout -1 -- touch ran
expect_code 64 "$HOLDFAST" run --timeout soon -- touch ran
expect_code 64 "$HOLDFAST" run --status-fd 7 -- touch ran
expect_code 64 "$HOLDFAST" run --status-fd 1 -- touch ran
expect_code 64 "$HOLDFAST" run
[ ! -e ran ] || fail 'the command ran'
