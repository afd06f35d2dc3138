#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command's own exit code passes through, also one that looks like holdfast's; nothing is printed.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for own in 0 1 3 64 72 75 124 125 126 127 143 255; do
  expect_code "$own" "$HOLDFAST" run -- "$HF_TEST_CHILD" exit "$own"
  expect_no_stdout
  expect_no_stderr
done
