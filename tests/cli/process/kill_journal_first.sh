#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kill that cannot be put on record is not done.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
"$HOLDFAST" identify "$pid" >id
printf not_a_home >../file
for home in "$scratch/file" /proc/no/home; do
  for tree in '' --tree; do
    code=0
    # shellcheck disable=SC2086
    env HOLDFAST_HOME="$home" "$HOLDFAST" kill @id $tree >"$stdout" 2>"$stderr" || code=$?
    case $code in 66 | 69 | 71 | 74 | 77 | 78) ;; *) fail "exit code $code without a journal" ;; esac
    expect_lives "$pid"
  done
done
# A refusal needs no record, and a warning says that there is none.
jq -c '.pidfs += 1 | .start += 1' <id >other
expect_code 77 env HOLDFAST_HOME="$scratch/file" "$HOLDFAST" kill @other
expect_stderr_contains 'not on record'
end "$pid"
