#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the command leaves behind is ended after it, and its own code still counts.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for kind in child setsid-child double-fork daemon; do
  expect_tree_dead 0 "$HOLDFAST" run -- "$HF_TEST_CHILD" "$kind"
  expect_stderr_contains 'left others running; ended 1 process, TERM was enough'
  expect_tree_dead 0 "$HOLDFAST" -q run --grace 0.2 -- "$HF_TEST_CHILD" "$kind" ignore-term
  expect_no_stderr
done
# shellcheck disable=SC2016  # the inner shell expands it
expect_tree_dead 7 "$HOLDFAST" run -- sh -c '"$1" daemon; exit 7' sh "$HF_TEST_CHILD"
