#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What four of the naive examples have written is taken over as it is: their locks, their history, the state of their loop,
# which the new loop then goes on with. (The fifth is container_sessions_import.sh: it needs an engine.)
# label: system
. "$(dirname -- "$0")/staging.inc"
. "$(dirname -- "$0")/../cli/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"
trap 'end_agents; end_begun' EXIT
for tool in bash flock; do command -v "$tool" >/dev/null || skip "$tool is not installed"; done
export PYTHONDONTWRITEBYTECODE=1 CI_PATIENCE=30s
import() { "$HOLDFAST" import "$@" --json; }
# expect_record NAME VERDICT [REASON]: of the last import.
expect_record() {
  seen=$(jq -r --arg n "$1" '.records[] | select(.name == $n) | .verdict + " " + .reason' <"$stdout")
  case $seen in "$2 ${3:-${seen#* }}") ;; *) fail "$1 is '$seen', not '$2 ${3-}'" ;; esac
}
# expect_on_record NAME: once, however often it was imported.
expect_on_record() {
  found=$("$HOLDFAST" journal query --type import.done --json | jq -rs --arg n "$1" '[.[] | select(.data.name == $n)] | length')
  [ "$found" -eq 1 ] || fail "$1 is on record $found times"
}
stage gate

# ---- claude-md: the sidecar of the hooks, while one is in it and behind it
mkdir project
printf '# House rules\n' >project/CLAUDE.md
begin env CLAUDE_PROJECT_DIR="$PWD/project" HOOK_PAUSE=gate "$examples/claude-md/naive/add_pin.sh" 'never rebase'
hook=$pid
arrived gate
expect_code 77 import sidecars project --apply
expect_record CLAUDE.md held flocked
go_on gate
ended "$hook"
before=$(stat -c '%i %Y %s' project/.CLAUDE.md.lock)
expect_code 0 import sidecars project --apply
expect_record CLAUDE.md imported free
expect_code 0 import sidecars project --apply
expect_record CLAUDE.md already free
expect_on_record CLAUDE.md
[ "$(stat -c '%i %Y %s' project/.CLAUDE.md.lock)" = "$before" ] || fail 'the sidecar was changed'

# ---- escalation-ledger: the history, asked by the new program
LEDGER_DIR=$PWD/asked
export LEDGER_DIR
old() { python3 "$examples/escalation-ledger/naive/escalation_ledger.py" "$@"; }
new() { LEDGER_DIR=$PWD/new python3 "$examples/escalation-ledger/holdfast/escalation_ledger.py" "$@"; }
expect_code 0 old record s1 declined
expect_code 0 old record s2 accepted
sum=$(sha256sum <asked/escalation-history.json)
mkdir -m 700 new
expect_code 0 import ledger asked/escalation-history.json --to new/escalation-history.json --time-field timestamp --apply
expect_record escalation-history.json imported whole
expect_json '.records[0].rows' 2
expect_code 3 new replay-safe s1
expect_code 0 new replay-safe s2
expect_code 0 new record s1 accepted
expect_code 0 new replay-safe s1
[ "$(sha256sum <asked/escalation-history.json)" = "$sum" ] || fail 'the old history was changed'

# ---- pipeline-locks: of an engine that was killed, of one that is at work, and one that has not yet said who it is
cat >agent <<'END'
#!/bin/sh
if [ -e "$WHO.there" ]; then : >"$WHO.there"; cat "$WHO.go"; fi
END
chmod 755 agent
for who in killed live; do
  stage "$who"
  begin env WHO="$who" bash "$examples/pipeline-locks/naive/engine.sh" "$who" 1 -- ./agent
  eval "$who=\$pid"
  arrived "$who"
done
# shellcheck disable=SC2154  # by eval
kill -s KILL "$killed"
ended "$killed"
begin env PAUSE=gate PAUSE_POINT=raw-pid LOCKS=raw bash "$examples/pipeline-locks/naive/engine.sh" raw 1 -- ./agent
raw=$pid
arrived gate
expect_code 69 import pipeline-locks locks --apply
expect_record killed imported
expect_record live unknown pid-in-use
expect_code 69 import pipeline-locks raw --apply
expect_record raw unknown pid-in-use
go_on gate
# shellcheck disable=SC2154
for who in killed live; do go_on "$who"; done
# shellcheck disable=SC2154
for pid in "$live" "$raw"; do ended "$pid"; done
expect_on_record killed

# ---- agent-loop: the state of a loop whose agent has died at work; the new loop takes the issue up
hung_agent hung
issue 'It hangs'
naive
wait_for 'the agent is at work' agents_are 2
expect_code 69 import agent-state "$LOOP_STATE" --apply
expect_record issue-160 unknown pid-in-use
kill -s KILL "$(agent_number 1)" "$(agent_number 2)"
wait_for 'the agent is gone' naive_agent_gone
expect_code 0 import agent-state "$LOOP_STATE" --apply
expect_on_record issue-160
"$HOLDFAST" journal query --type import.done --last 1 --json >last
jq -es '(.[0].data.detail | [.issue, .started] | map(tonumber)) == (.[1] | [.issue, .started_at])' last "$LOOP_STATE" >same ||
  fail "not what stood there: $(cat last "$LOOP_STATE")"
unset AGENT
expect_issue 160 '.labels[0]' State/InProgress
loop_file ''
ticks 1
expect_issue 160 .state open # nobody told this source of it
loop_file 's|^source = .*|source = ["./left.sh"]|'
ticks 1
expect_pulls 160 merged
expect_issue 160 .state closed
