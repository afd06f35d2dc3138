#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command starts with the signal mask and the ignored signals that the caller had.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HF_TEST_CHILD" print-signals
cp "$stdout" without
expect_code 0 "$HOLDFAST" run -- "$HF_TEST_CHILD" print-signals
cmp without "$stdout" || fail 'differs from a start without holdfast'

trap '' HUP CHLD USR2
expect_code 0 "$HF_TEST_CHILD" print-signals
cp "$stdout" without
expect_code 0 "$HOLDFAST" run -- "$HF_TEST_CHILD" print-signals
cmp without "$stdout" || fail 'ignored signals are not passed on'
expect_code 3 "$HOLDFAST" run -- "$HF_TEST_CHILD" exit 3
