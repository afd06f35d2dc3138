#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a kernel without pidfds and control groups the tree still dies, level by level, and containment says so.
# label: system
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups

for denied in pidfd_open pidfd_open=EPERM pidfd_send_signal=EPERM; do
  for kind in child setsid-child double-fork daemon; do
    expect_tree_dead 124 "$HF_TEST_CHILD" deny "$denied" -- \
      "$HOLDFAST" run --json --timeout 0.2 --grace 0.2 -- "$HF_TEST_CHILD" stay "$kind" ignore-term
    expect_json .containment subreaper-by-number
  done
done
# Everybody gets TERM in time here, too.
expect_tree_dead 124 "$HF_TEST_CHILD" deny pidfd_open -- "$HOLDFAST" run --timeout 2 --grace 20 -- \
  "$HF_TEST_CHILD" stay child stay child stay child
expect_stderr_contains '4 processes, TERM was enough'
