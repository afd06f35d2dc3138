#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/agent-loop: a tick of cron comes while the last one has looked and not yet begun. The naive loop starts two
# agents on one issue; of holdfast's one works, and the other is told who.
# label: system
. "$(dirname -- "$0")/staging.inc"
. "$(dirname -- "$0")/../lib/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"
trap 'end_agents; end_begun' EXIT
hung_agent hung
stage gate

issue 'It hangs'
begin env LOOP_PAUSE=gate LOOP_PAUSE_POINT=chosen python3 "$example/naive/loop.py"
first=$pid
arrived gate
naive
expect_stdout_contains 'for 160'
wait_for 'an agent is at work' agents_are 2
go_on gate
ended "$first"
[ "$code" -eq 0 ] || fail "the first tick answered $code"
wait_for 'a second agent is at work' agents_are 4
grep -q '^160 beside' "$AGENTS.beside" || fail 'the naive loop has become better: one agent for one issue'
end_agents

# holdfast: the first tick is as far, at the end of its source.
rm -f "$AGENTS.beside"
: >"$AGENTS"
another_forge
cat >slow-source <<END
#!/bin/sh
"$example/ready.sh" || exit
mkdir "$PWD/asked" 2>/dev/null || exit 0
: >"$PWD/gate.there"
cat "$PWD/gate.go"
END
chmod 755 slow-source
loop_file "s|^source = .*|source = [\"$PWD/slow-source\"]|"
issue 'It hangs'
begin "$HOLDFAST" loop loop.toml --no-wait
first=$pid
arrived gate
expect_code 75 "$HOLDFAST" loop loop.toml --no-wait
expect_stderr_contains "process $first works on it"
agents_are 0 || fail 'the second tick began something'
go_on gate
ended "$first"
[ "$code" -eq 0 ] || fail "the first tick answered $code: $(cat "$scratch/begun")"
wait_for 'the agent is at work' agents_are 2

# The next tick finds it at work, and begins nothing beside it.
expect_code 0 "$HOLDFAST" loop loop.toml --no-wait
expect_item 160 .state running
expect_item 160 .attempts 1
expect_code 0 "$HOLDFAST" stop issue-160 --grace 100ms
agents_are 2 || fail "not one agent: $(cat "$AGENTS")"
[ ! -e "$AGENTS.beside" ] || fail "two at a time: $(cat "$AGENTS.beside")"
