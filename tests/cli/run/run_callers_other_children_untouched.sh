#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Children that the caller already had are neither ended, nor waited for, nor reaped.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 5 "$HF_TEST_CHILD" with-job job -- "$HOLDFAST" run --timeout 20 -- "$HF_TEST_CHILD" exit 5
kill -0 "$(cat job)" || fail 'the job of the caller was ended'
kill -s KILL "$(cat job)"
expect_code 124 "$HF_TEST_CHILD" with-job job -- \
  "$HOLDFAST" run --timeout 0.2 --grace 0.1 -- "$HF_TEST_CHILD" ignore-term
kill -0 "$(cat job)" || fail 'the job of the caller was ended with the tree'
kill -s KILL "$(cat job)"
