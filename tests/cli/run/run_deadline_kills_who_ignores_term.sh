#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who ignores TERM is killed after the grace, in every corner of the tree.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for kind in child setsid-child double-fork daemon; do
  expect_tree_dead 124 "$HOLDFAST" run --timeout 1 --grace 0.2 -- \
    "$HF_TEST_CHILD" stay "$kind" ignore-term
  expect_stderr_contains '2 processes, 1 by KILL'
done
expect_tree_dead 124 "$HOLDFAST" run --timeout 1 --grace 0 -- "$HF_TEST_CHILD" ignore-term
expect_stderr_contains '1 process, 1 by KILL'
