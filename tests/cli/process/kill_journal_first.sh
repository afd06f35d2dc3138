#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kill that cannot be put on record is not done, and whatever keeps the journal from it, that is 69.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
"$HOLDFAST" identify "$pid" >id
printf not_a_home >../file
for home in "$scratch/file" /proc/no/home; do
  for tree in '' --tree; do
    # shellcheck disable=SC2086
    expect_code 69 env HOLDFAST_HOME="$home" "$HOLDFAST" kill @id $tree
    expect_stderr_contains 'nothing was signalled'
    expect_lives "$pid"
  done
done
# A refusal needs no record, and a warning says that there is none.
jq -c '.pidfs += 1 | .start += 1' <id >other
expect_code 77 env HOLDFAST_HOME="$scratch/file" "$HOLDFAST" kill @other
expect_stderr_contains 'not on record'
end "$pid"
