#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ctrl-Z stops the job as the shell sees it, and fg continues it.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HF_TEST_CHILD" pty zu -- "$HOLDFAST" run -- "$HF_TEST_CHILD" report-signals
expect_stdout_contains 'job stopped'
expect_stdout_contains 'got CONT'
expect_stdout_contains end
