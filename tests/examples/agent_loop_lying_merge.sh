#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/agent-loop: the forge answers that it merged, and did not. The naive loop closes the issue; holdfast's looks,
# and leaves it open. And a word of CI that nobody knows is "passed" for the one, and "cannot tell" for the other.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"

issue 'It crashes'
naive
wait_for 'the agent is done' naive_agent_gone
lie '{"merge": {"how": "ok-undone"}}'
naive
expect_pulls 160 open
expect_issue 160 .state closed
! git -C "$FORGE_REPO" cat-file -e main:fix-160.txt 2>/dev/null || fail 'it is merged'
lie '{}'

issue 'It was cancelled'
naive
wait_for 'the agent is done' naive_agent_gone
lie '{"ci": "cancelled"}'
naive
expect_pulls 161 merged

another_forge
CI_PATIENCE=30s # it has an answer, which a busy machine may take a while to give
loop_file 's/^attempts = .*/attempts = 9/'
issue 'It crashes'
lie '{"merge": {"how": "ok-undone"}}'
ticks 3
expect_count 'POST merge' 3
expect_pulls 160 open
expect_issue 160 .state open
expect_item 160 .state waiting
lie '{}'
ticks 1
expect_pulls 160 merged
expect_issue 160 .state closed
git -C "$FORGE_REPO" cat-file -e main:fix-160.txt || fail 'it is not merged'

issue 'It was cancelled'
lie '{"ci": "cancelled"}'
CI_PATIENCE=1s
ticks 1
expect_pulls 161 open
expect_issue 161 .state open

# What merge.sh claims: 69 where nobody can tell which pull request that is, 1 where the forge will not, and 0 where the
# answer is lost: merged.sh looks.
lie '{"pull": {"how": "500"}}'
expect_code 69 "$example/merge.sh" 161
lie '{"merge": {"how": "500"}}'
expect_code 0 "$example/merge.sh" 161
lie '{}'
git -C "$FORGE_REPO" update-ref -d refs/heads/issue-161-fix
expect_code 1 "$example/merge.sh" 161
expect_stderr_contains 'the branch is gone'
