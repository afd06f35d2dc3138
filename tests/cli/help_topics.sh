#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The topics are in the program; that of the exit codes lists every code.
. "$(dirname -- "$0")/lib.sh"

for topic in durations environment events exit-codes flock home json sizes; do
  expect_code 0 "$HOLDFAST" help "$topic"
  expect_stdout_contains "holdfast $topic - "
  expect_code 0 "$HOLDFAST" help "$topic" --json
  expect_json .topic "$topic"
done

expect_code 0 "$HOLDFAST" help exit-codes
for code in 0 64 65 66 69 70 71 72 73 74 75 76 77 78 124 125 126 127; do
  grep -q "^  $code " "$stdout" || fail "$code is not listed"
done

expect_code 64 "$HOLDFAST" help exit-code
expect_stderr_contains 'did you mean exit-codes?'

# What the manual says of events is the registry: each type that it names is one that can be asked for.
expect_code 0 "$HOLDFAST" help events
grep -oE '^  [a-z]+\.[a-z_]+ ' "$stdout" >types
[ "$(wc -l <types)" -gt 40 ] || fail 'too few types'
while read -r type; do
  expect_code 0 "$HOLDFAST" journal count --type "$type"
done <types
expect_code 0 "$HOLDFAST" help journal
expect_stdout_contains 'holdfast journal count --by data.lock --type lock.fail_open --since 30d'
