#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that dies of signal n gives 128+n.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for number in 1 2 6 9 11 15; do
  expect_code $((128 + number)) "$HOLDFAST" run -- "$HF_TEST_CHILD" die "$number"
  expect_no_stderr
done
expect_code 137 "$HOLDFAST" run --json -- "$HF_TEST_CHILD" die 9
expect_json .state killed
expect_json .signal 9
expect_json .exit_code null
