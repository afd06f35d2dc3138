#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that takes longer than --timeout is ended with its children, and its half output is not used.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
for kind in child setsid-child daemon; do
  expect_tree_dead 65 write f --timeout 0.2s -- sh -c "echo half; exec $HF_TEST_CHILD stay $kind sleep-forever"
  expect_stderr_contains 'time'
  expect_stderr_contains 'nothing was changed'
  expect_file f old
done
# Who does not listen gets --grace, also in a check; the default is longer than this test waits.
deaf="trap '' TERM; $HF_TEST_CHILD sleep-forever"
expect_code 65 timeout -s KILL 9 "$HOLDFAST" write f --timeout 0.2s --grace 0.2s -- sh -c "$deaf"
expect_code 65 timeout -s KILL 9 "$HOLDFAST" write f --timeout 0.2s --grace 0.2s --check "$deaf" -- printf new
expect_code 65 timeout -s KILL 9 "$HOLDFAST" update f --timeout 0.2s --grace 0.2s -- sh -c "$deaf"
rm .f.hold .f.lock
expect_file f old
expect_code 0 write f --timeout 1h -- printf new
expect_file f new
expect_only f life
