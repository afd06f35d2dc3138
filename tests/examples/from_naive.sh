#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the naive examples have written is gone on with: the history of one, and the issue that the loop of another had in hand.
# label: system
. "$(dirname -- "$0")/staging.inc"
. "$(dirname -- "$0")/../lib/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"
trap 'end_agents; end_begun' EXIT
export PYTHONDONTWRITEBYTECODE=1 CI_PATIENCE=30s

# ---- escalation-ledger: the history, asked by the new program
LEDGER_DIR=$PWD/asked
export LEDGER_DIR
old() { python3 "$examples/escalation-ledger/naive/escalation_ledger.py" "$@"; }
new() { LEDGER_DIR=$PWD/new python3 "$examples/escalation-ledger/holdfast/escalation_ledger.py" "$@"; }
expect_code 0 old record s1 declined
expect_code 0 old record s2 accepted
mkdir -m 700 new
expect_code 0 "$HOLDFAST" ledger check asked/escalation-history.json --time-field timestamp
expect_code 0 "$HOLDFAST" write --check json new/escalation-history.json <asked/escalation-history.json
expect_code 3 new replay-safe s1
expect_code 0 new replay-safe s2
expect_code 0 new record s1 accepted
expect_code 0 new replay-safe s1
truncate -s -3 asked/escalation-history.json
expect_code 65 "$HOLDFAST" ledger check asked/escalation-history.json --time-field timestamp

# ---- agent-loop: the state of a loop whose agent has died at work; the new loop takes the issue up, and not before
hung_agent hung
issue 'It hangs'
naive
wait_for 'the agent is at work' agents_are 2
unset AGENT
loop_file 's|^source = .*|source = ["./left.sh"]|'
expect_code 69 "$HOLDFAST" loop loop.toml --once
kill -s KILL "$(agent_number 1)" "$(agent_number 2)"
wait_for 'the agent is gone' naive_agent_gone
expect_issue 160 '.labels[0]' State/InProgress
loop_file ''
ticks 1
expect_issue 160 .state open # nobody told this source of it
loop_file 's|^source = .*|source = ["./left.sh"]|'
ticks 1
expect_pulls 160 merged
expect_issue 160 .state closed
