#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that exits with 69 cannot tell: `attempt` counts no failure, and its pause follows all the same.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
for round in 1 2 3; do
  expect_code 69 "$HOLDFAST" attempt key --max 1 -- sh -c 'echo ran >>runs; exit 69'
  [ "$(wc -l <runs)" -eq "$round" ] || fail "$(wc -l <runs) runs"
done
expect_code 69 "$HOLDFAST" attempt later --max 1 --backoff 1h -- sh -c 'exit 69'
expect_code 75 "$HOLDFAST" attempt later --max 1 --backoff 1h -- touch never
[ ! -e never ] || fail 'run before its pause was over'
expect_code 1 "$HOLDFAST" attempt key --max 1 -- sh -c 'exit 1'
expect_code 77 "$HOLDFAST" attempt key --max 1 -- touch never
