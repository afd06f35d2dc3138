#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --if-busy wait: the run begins when the name is free, in any number of turns; it waits no longer than --wait; a
# signal ends the wait; who waits at a terminal is told for whom.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go
"$HOLDFAST" run --detach --name one -- sh -c 'read -r _ <go' >/dev/null
expect_code 75 "$HOLDFAST" run --json --name one --if-busy wait --wait 100ms -- touch second
expect_json .error.cause session-live
json_field .error.detail | grep -q 'waited' || fail 'it does not say how long'
[ ! -e second ] || fail 'a second one ran'

# Six wait; each has its turn, and no two run at once.
: >ran
i=0
while [ "$i" -lt 6 ]; do
  "$HOLDFAST" run -q --name one --if-busy wait --wait 60s -- sh -c 'mkdir turn && echo in >>ran && rmdir turn' &
  i=$((i + 1))
done
waiters() { "$HOLDFAST" locks session:one --json | jq '.waiters | length'; }
tries=0
until [ "$(waiters)" -eq 6 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail "$(waiters) wait"
  sleep 0.1
done
[ ! -s ran ] || fail 'one did not wait'
echo >go
wait
[ "$(wc -l <ran)" -eq 6 ] || fail 'not each had its turn'

# The supervisor that is waited for is killed: its command is waited for, and then nobody can tell or all is well.
# A signal ends the wait, and nothing is started.
"$HOLDFAST" run --detach --name two -- sleep 600 >/dev/null
"$HOLDFAST" run --name two --if-busy wait --wait 60s -- touch second 2>"$stderr" &
waiting=$!
tries=0
until [ "$("$HOLDFAST" locks session:two --json | jq '.waiters | length')" -eq 1 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'nobody waits'
  sleep 0.1
done
kill -s TERM "$waiting"
code=0
wait "$waiting" || code=$?
[ "$code" -eq 143 ] || fail "exit code $code"
expect_code 0 "$HOLDFAST" stop two

# At a terminal.
"$HOLDFAST" run --detach --name three -- sh -c 'read -r _ <go' >/dev/null
pid=$(record three .command.pid)
expect_code 75 "$HOLDFAST" run --pty -- "$HOLDFAST" run --name three --if-busy wait --wait 100ms -- true
expect_stdout_contains "waiting for session 'three', held by pid $pid since 20"
"$HOLDFAST" acquire deploy --owner $$ >/dev/null
expect_code 75 "$HOLDFAST" run --pty -- "$HOLDFAST" lock deploy -w 100ms -- true
expect_stdout_contains "waiting for the lock 'deploy', held by pid $$"
expect_code 75 "$HOLDFAST" run --pty -- "$HOLDFAST" run --lock deploy --wait 100ms -- true
expect_stdout_contains "waiting for the lock 'deploy', held by pid $$"
expect_code 75 "$HOLDFAST" lock deploy -w 100ms -- true
if grep -q 'waiting for' "$stderr"; then fail 'it is said although nobody looks'; fi
echo >go
wait_for_end three
[ ! -e second ] || fail 'a second one ran'
