#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C on a terminal reaches the command once, and the command decides what becomes of it.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# USR1 takes the way of a forwarded signal, behind any INT that was wrongly forwarded.
expect_code 0 "$HF_TEST_CHILD" pty cu -- "$HOLDFAST" run -- "$HF_TEST_CHILD" report-signals
[ "$(grep -c '^got INT' "$stdout")" -eq 1 ] || fail 'not exactly one INT'
expect_stdout_contains end
expect_code 130 "$HF_TEST_CHILD" pty c -- "$HOLDFAST" run -- "$HF_TEST_CHILD" sleep-forever
