#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import agent-state: a dead agent's work is put on record; a number in use is unknown, and never dead or adopted.
. "$(dirname -- "$0")/lib.sh"

sh -c 'exit 0' &
dead=$!
wait "$dead"
host=$(uname -n)
printf '{"pid":%s,"hostname":"%s","issue":160,"started_at":"2026-05-01T10:00:00+00:00","type":"issue","issue_title":"Fix it"}' \
  "$dead" "$host" >state.json
sum=$(sha256sum <state.json)
expect_code 0 "$HOLDFAST" import agent-state state.json --json
expect_json '.records[0] | [.name, .verdict, .pid] | join(" ")' "issue-160 importable $dead"
{ [ ! -e "$HOLDFAST_HOME" ] && [ "$(sha256sum <state.json)" = "$sum" ]; } || fail 'a plan has written'
expect_code 0 "$HOLDFAST" import agent-state state.json --apply
expect_stdout_contains 'imported issue-160'
[ "$(sha256sum <state.json)" = "$sum" ] || fail 'the source was changed'
expect_code 0 "$HOLDFAST" import agent-state state.json --apply
expect_stdout_contains 'already issue-160'
expect_code 0 "$HOLDFAST" journal query --type import.done --json
[ "$(jq -r '[.data.kind, .data.pid, .data.detail.issue, .data.detail.title] | join("|")' <"$stdout")" = "agent-state|$dead|160|Fix it" ] ||
  fail 'the work is not on record'
[ "$(sha256sum <state.json)" = "$sum" ] || fail 'the source was changed'

# A time as Python's time.time() gives it.
printf '{"pid":%s,"issue":161,"started_at":1763426400.1234567}' "$dead" >float.json
expect_code 0 "$HOLDFAST" import agent-state float.json --apply
expect_code 0 "$HOLDFAST" journal query --type import.done --last 1 --json
[ "$(jq -r '[.data.name, .data.detail.started] | join("|")' <"$stdout")" = 'issue-161|1763426400.1234567' ] ||
  fail 'its time is not on record'

# Our own number, which was never an agent's; and one of a process that we may not signal.
for pid in $$ 1; do
  printf '{"pid":%s,"issue":7,"type":"ci-fix","started_at":"2026-05-01T10:00:00+00:00"}' "$pid" >live.json
  expect_code 69 "$HOLDFAST" import agent-state live.json --apply --json
  expect_json '.records[0].verdict' unknown
done
kill -0 $$ || fail 'unthinkable'

# One that only waits has no agent; a state that cannot be read is not "no agent".
echo '{"type":"pending-ci","issue":8}' >waits.json
expect_code 0 "$HOLDFAST" import agent-state waits.json --apply --json
expect_json '.records[0].reason' waits
# One that works and names nobody is not one that waits.
echo '{"type":"issue","issue":9}' >nobody.json
expect_code 69 "$HOLDFAST" import agent-state nobody.json --apply --json
expect_json '.records[0] | [.verdict, .reason] | join(" ")' 'unknown no-pid'
for text in '' '{"pid": 4' '[]' '{"pid":"x"}'; do
  printf '%s' "$text" >bad.json
  expect_code 65 "$HOLDFAST" import agent-state bad.json --apply --json
  expect_json '.records[0].verdict' corrupt
done
ln -s state.json link.json
expect_code 77 "$HOLDFAST" import agent-state link.json --apply
expect_code 66 "$HOLDFAST" import agent-state not-there.json
