#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The answer to the merge is lost, in each way. Where it was merged all the same the issue is done, with one merge;
# where it was not, the issue is not done, and merged by a later attempt.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
FORGE_PATIENCE=1
export FORGE_PATIENCE
loop_file 's/^attempts = .*/attempts = 20/; s/^items = .*/items = 100/'
number=160
merges=0
for how in 500-done cut silent slow; do
  issue "lost: $how"
  lie "{\"merge\": {\"how\": \"$how\", \"seconds\": 3, \"times\": 1}}"
  ticks 1
  merges=$((merges + 1))
  expect_count 'POST merge' "$merges"
  expect_pulls "$number" merged
  expect_item "$number" .state 'done'
  expect_issue "$number" .state closed
  number=$((number + 1))
done
for how in 500 cut-undone html; do
  issue "not done: $how"
  lie "{\"merge\": {\"how\": \"$how\", \"times\": 1}}"
  ticks 1
  merges=$((merges + 1))
  expect_count 'POST merge' "$merges"
  expect_pulls "$number" open
  expect_issue "$number" .state open
  expect_item "$number" .state waiting
  ticks 1
  merges=$((merges + 1))
  expect_count 'POST merge' "$merges"
  expect_pulls "$number" merged
  expect_item "$number" .state 'done'
  number=$((number + 1))
done
