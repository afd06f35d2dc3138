#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/agent-loop: a merge that fails at each of fourteen ticks. The naive loop writes fourteen comments with the same
# words; holdfast's writes one, and counts the rest.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"
export CI_PATIENCE=30s # it has an answer, which a busy machine may take a while to give

issue 'It crashes'
naive
wait_for 'the agent is done' naive_agent_gone
lie '{"merge": {"how": "500"}}'
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
  naive
done
expect_issue 160 '.comments | length' 14
expect_issue 160 '.comments | map(.body) | unique | length' 1

another_forge
loop_file 's/^attempts = .*/attempts = 20/; s/^items = .*/items = 100/; s/^failures = .*/failures = 100/'
issue 'It crashes'
lie '{"merge": {"how": "500"}}'
ticks 14
expect_count 'POST merge' 14
expect_issue 160 '.comments | length' 1
expect_issue 160 .state open
expect_item 160 .notices_held_back 13
expect_code 0 "$HOLDFAST" journal count --type loop.suppressed
expect_stdout_is 13
