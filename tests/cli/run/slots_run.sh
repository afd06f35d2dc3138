#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run --slots NAME=N: up to N runs at once, detached ones too; a run that waits for a slot can be stopped; a profile can
# say the same; the slot is free when the whole tree has ended.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go.a go.b
for name in a b; do
  expect_code 0 "$HOLDFAST" run -d --name $name --slots agents=2 -- sh -c "read -r _ <go.$name"
done
expect_code 0 "$HOLDFAST" locks --state held --json
expect_json '[.locks[].name | select(startswith("agents"))] | join(" ")' 'agents/1of2 agents/2of2'
expect_code 75 "$HOLDFAST" run --json --name c --slots agents=2 --wait 100ms -- touch second
expect_json .error.cause lock-busy
expect_code 0 "$HOLDFAST" run -q --name c --slots agents=2 --if-busy skip -- touch second
expect_no_stderr
expect_code 0 "$HOLDFAST" show a --json
expect_json '.locks | join(" ")' 'agents/?of2'

# One waits, and is stopped; another has its turn.
"$HOLDFAST" run -q --name c --slots agents=2 --wait 60s -- touch second 2>/dev/null &
tries=0
until [ "$("$HOLDFAST" locks agents/1of2 --json | jq '.waiters | length')" -eq 1 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'it does not wait'
  sleep 0.1
done
expect_code 0 "$HOLDFAST" stop c
wait
expect_record c .reason stopped
cat >holdfast.toml <<'X'
[session.agent]
command = ["sh", "-c", "echo $HOLDFAST_LOCK >which"]
lock = "agents/?of2"
X
"$HOLDFAST" run -q --profile holdfast.toml agent --wait 60s &
tries=0
until [ "$("$HOLDFAST" locks agents/1of2 --json | jq '.waiters | length')" -eq 1 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'it does not wait'
  sleep 0.1
done
echo >go.a
wait || fail "it ended with $?"
grep -qx 'agents/[12]of2' which || fail "it ran under $(cat which)"
echo >go.b
wait_for_end a
wait_for_end b
expect_code 0 "$HOLDFAST" locks agents/1of2 --json
expect_json .state free
[ ! -e second ] || fail 'a third one ran'
