#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The deadline ends the whole tree, however its processes left: 124, and TERM is enough.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for kind in child setsid-child double-fork daemon; do
  expect_tree_dead 124 "$HOLDFAST" run --timeout 1 -- "$HF_TEST_CHILD" stay "$kind"
  expect_stderr_contains 'the deadline of 1s passed'
  expect_stderr_contains '2 processes, TERM was enough'
done
expect_tree_dead 124 "$HOLDFAST" run --timeout 1 -q -- \
  "$HF_TEST_CHILD" stay setsid-child stay double-fork stay child
expect_no_stderr
