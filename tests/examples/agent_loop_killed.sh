#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/agent-loop: the loop is killed when its agent is at work. Between the start and the state file of the naive one
# nobody knows of that agent then, and the next tick starts another beside it; holdfast's has it on record before it runs.
# (tests/cli/loop/loop_*killed*.sh kill it at every call and at every request.)
# label: system
. "$(dirname -- "$0")/staging.inc"
. "$(dirname -- "$0")/../lib/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"
trap 'end_agents; end_begun' EXIT
hung_agent hung
stage gate

issue 'It hangs'
issue 'Another one'
begin env LOOP_PAUSE=gate LOOP_PAUSE_POINT=started python3 "$example/naive/loop.py"
tick=$pid
arrived gate
wait_for 'the agent is at work' agents_are 2
kill -s KILL "$tick"
ended "$tick"
[ ! -e "$LOOP_STATE" ] || fail 'the naive loop has become better: it has noted the agent'
naive
expect_stdout_contains 'for 161'
wait_for 'another agent is at work' agents_are 4
grep -q '^161 beside' "$AGENTS.beside" || fail 'the naive loop has become better: nobody works beside another'
age_state # an hour later it knows of one of the two
naive
[ "$code" -eq 1 ] || fail "the naive loop answered $code at the deadline"
runs "$(agent_number 1)" || fail 'the naive loop has become better: it ends both'
end_agents

# holdfast, with the loop killed as soon as the agent is there.
rm -f "$AGENTS.beside" "$LOOP_STATE"
: >"$AGENTS"
another_forge
loop_file 's/^timeout = .*/timeout = "1h"\ngrace = "100ms"/; s/^attempts = .*/attempts = 1/'
issue 'It hangs'
issue 'Another one'
begin "$HOLDFAST" loop loop.toml
tick=$pid
wait_for 'the agent is at work' agents_are 2
kill -s KILL "$tick"
ended "$tick"
expect_item 160 .state running
expect_code 0 "$HOLDFAST" loop loop.toml --no-wait
agents_are 2 || fail "another agent was begun: $(cat "$AGENTS")"
expect_item 160 .attempts 1
# The next loop has it in hand: it ends the agent, accounts for it, and only then begins the next.
expect_code 0 "$HOLDFAST" stop issue-160 --grace 100ms
for n in 1 2; do ! runs "$(agent_number "$n")" || fail 'something of the agent is left'; done
expect_code 0 "$HOLDFAST" loop loop.toml --no-wait
expect_item 160 .reason ended-by-force
wait_for 'the next agent is at work' agents_are 4
expect_code 0 "$HOLDFAST" stop issue-161 --grace 100ms
[ ! -e "$AGENTS.beside" ] || fail "two at a time: $(cat "$AGENTS.beside")"
