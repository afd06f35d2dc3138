#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A shared lock has at most 64 readers: the next one is 75, as a writer is. `break` ends the hold
# of all of them.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

for _ in 1 2 3 4 5 6 7 8; do
  for _ in 1 2 3 4 5 6 7 8; do "$HOLDFAST" acquire -s x -n >>tokens || fail 'fewer than 64'; done
done
expect_code 75 "$HOLDFAST" acquire -s x -n
expect_stderr_contains 'as many readers as it can have'
expect_code 75 "$HOLDFAST" acquire x -n
expect_code 0 "$HOLDFAST" locks x --json
expect_json '.holders | length' 64
id=$(json_field .break_id)
expect_code 0 "$HOLDFAST" break x --id "$id" --reason 'all of them'
expect_code 0 "$HOLDFAST" acquire x -n
for line in 2 64; do expect_code 77 "$HOLDFAST" check x --token "$(sed -n "${line}p" tokens)"; done
