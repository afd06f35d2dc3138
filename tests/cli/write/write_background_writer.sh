#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the command leaves behind is ended and adds nothing later. If it still held the output, the rest may
# be missing: the command has failed and the old file stays. If it did not, the file is whole.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf 'old\n' >f
for kind in child setsid-child double-fork daemon; do
  expect_tree_dead 65 write f -- sh -c "echo first; $HF_TEST_CHILD $kind sleep-forever && echo last"
  expect_stderr_contains 'still held its output'
  expect_file f 'old
'
  expect_tree_dead 0 write g -- sh -c "echo first; $HF_TEST_CHILD $kind sleep-forever >&2 && echo last"
  expect_file g 'first
last
'
  rm g
done
# One that lets go only after the command has gone on: the shell's child opens /dev/null, not the shell.
expect_tree_dead 0 write g -- sh -c 'sleep 600 >/dev/null 2>&1 & echo whole'
expect_file g 'whole
'
# One that is in the middle of the output, and one that writes without end.
expect_tree_dead 65 write f -- sh -c '(echo 1; sleep 600; echo 2) & echo first'
expect_tree_dead 65 write f -- sh -c 'yes later & echo first; kill -0 $!'
expect_code 65 write --json f -- sh -c 'sleep 600 & echo first'
expect_cause producer-failed
expect_file f 'old
'
