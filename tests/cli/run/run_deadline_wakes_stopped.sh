#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A stopped process is woken to take its TERM; KILL is not needed.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_tree_dead 124 "$HOLDFAST" run --timeout 0.3 --grace 20 -- "$HF_TEST_CHILD" stay child stop-self
expect_stderr_contains 'TERM was enough'
expect_tree_dead 124 "$HOLDFAST" run --timeout 0.3 --grace 20 -- "$HF_TEST_CHILD" stop-self
