#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The loop of examples/agent-loop end to end: an issue that is ready, by somebody it trusts, is worked on, merged and
# closed, the urgent one first; another pass does nothing again.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file 's/^items = .*/items = 2/'
issue 'It crashes'
issue 'It is "odd"; $(touch pwned) {number}' '["State/Ready", "Prio/High"]' bob
issue 'It is not ready' '[]'
issue 'Let me in' '["State/Ready"]' mallory

ticks 1
for number in 160 161; do
  expect_pulls "$number" merged
  expect_issue "$number" .state closed
  expect_issue "$number" '.comments | length' 0
  expect_item "$number" .state 'done'
done
expect_issue 162 .state open
expect_issue 163 .state open
expect_pulls 163 ''
git -C "$FORGE_REPO" cat-file -e main:fix-161.txt || fail 'the work is not in main'
[ "$(git -C "$FORGE_REPO" show main:fix-161.txt)" = 'It is "odd"; $(touch pwned) {number}' ] || fail 'the title was changed'
first=$(git -C "$FORGE_REPO" log --first-parent --reverse --merges --format=%s main | head -n 1)
[ "$first" = 'Merge pull request #1' ] || fail "first was: $first"
[ "$(curl -sSf "$FORGE_URL/pulls" | jq -r '.[-1].head')" = issue-161-fix ] || fail 'the urgent one was not first'

ticks 2
expect_count 'POST merge' 2
expect_count 'POST pull' 2
expect_count 'PATCH issue' 2
