#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes that fork and exit in a circle are caught too: only ECHILD is the end.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for chains in 1 4; do
  expect_tree_dead 124 "$HOLDFAST" run --timeout 0.2 --grace 0.1 -- "$HF_TEST_CHILD" fork-chain "$chains"
done
