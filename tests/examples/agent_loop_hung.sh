#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/agent-loop: an agent hangs past its deadline. The naive loop ends one process of it, says that it was killed,
# and starts the next one beside what is left; holdfast's ends all of it, and only then goes on.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"
hung_agent hung

issue 'It hangs'
issue 'Another one'
naive
wait_for 'the agent is at work' agents_are 2
naive
expect_stdout_contains 'is at work on 160'
age_state
naive
[ "$code" -eq 1 ] || fail "the naive loop answered $code at the deadline"
wait_for 'the agent is dead' sh -c '! [ -e /proc/$1 ] || grep -q "^State:.Z" /proc/$1/status' sh "$(agent_number 1)"
expect_issue 160 '.comments[0].body' 'The agent ran for more than an hour and was killed.'
runs "$(agent_number 2)" || fail 'the naive loop has become better: it ends the tree'
naive
wait_for 'the next agent is at work' agents_are 4
runs "$(agent_number 2)" || fail 'what the first agent started has ended'
grep -q '^161 beside' "$AGENTS.beside" || fail 'the naive loop has become better: nobody works beside another'
end_agents

# The first idea for a cure: kill only what is called `claude` or `node`. An agent by another name (some have their
# version for a name) is left alone, forgotten, and said to be killed; the next one starts beside it.
another_forge
rm "$AGENTS.beside" "$LOOP_STATE"
: >"$AGENTS"
export LOOP_CHECK_NAME=claude,node
issue 'It hangs'
issue 'Another one'
naive
wait_for 'the agent is at work' agents_are 2
age_state
naive
expect_stdout_contains 'not killed'
expect_issue 160 '.comments[0].body' 'The agent ran for more than an hour and was killed.'
runs "$(agent_number 1)" || fail 'it was killed'
naive
wait_for 'the next agent is at work' agents_are 4
grep -q '^161 beside' "$AGENTS.beside" || fail 'the cured naive loop has become better'
end_agents
unset LOOP_CHECK_NAME

# holdfast: at the deadline the whole tree, TERM ignored or not, in a group of its own or not; then the next one.
rm -r "$scratch/another" "$AGENTS.beside"
: >"$AGENTS"
another_forge
loop_file 's/^timeout = .*/timeout = "1s"\ngrace = "100ms"/; s/^attempts = .*/attempts = 1/; s/^items = .*/items = 2/'
issue 'It hangs'
issue 'Another one'
ticks 2
agents_are 4 || fail "the numbers of two agents, not: $(cat "$AGENTS")"
for n in 1 2 3 4; do
  ! runs "$(agent_number "$n")" || fail 'something of a hung agent is left'
done
[ ! -e "$AGENTS.beside" ] || fail "two at a time: $(cat "$AGENTS.beside")"
for number in 160 161; do
  expect_item "$number" .state gave_up
  expect_item "$number" .reason ended-by-force
  expect_issue "$number" '.labels[0]' State/Question
  expect_issue "$number" .state open
  expect_issue "$number" '.comments | length' 1
done
