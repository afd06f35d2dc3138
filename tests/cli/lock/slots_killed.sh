#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Slots and death: a killed holder's slot goes to whoever waits; a killed or stopped waiter keeps nothing from the others;
# a signal ends a wait.
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo up go.1 go.2
exec 8<>up
holder() {
  "$HOLDFAST" lock --slots 2 gpu -- sh -c 'echo "$PPID $$" >up; exec sleep 600' 2>/dev/null &
  read -r wrapper command <&8
}
waiter() { "$HOLDFAST" lock --slots 2 -w 60s gpu -- sh -c 'echo "$HOLDFAST_LOCK $$" >up; read -r _ <go.'"$1" & }
await_waiters() {
  tries=0
  until [ "$("$HOLDFAST" locks gpu/2of2 --json | jq '.waiters | length')" -eq "$1" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "there are not $1 waiters"
    sleep 0.1
  done
}
holder
first_wrapper=$wrapper first=$command
holder
trap 'kill -s KILL "$first" "$command" "$stopped" 2>/dev/null || :; remove_scratch' EXIT
# One waiter is stopped, one is killed, one is told to end, one waits on.
"$HOLDFAST" lock --slots 2 -w 60s gpu -- true &
stopped=$!
await_waiters 1
kill -s STOP "$stopped"
"$HOLDFAST" lock --slots 2 -w 60s gpu -- touch second 2>/dev/null &
killed=$!
await_waiters 2
kill -s KILL "$killed"
wait "$killed" 2>/dev/null || :
"$HOLDFAST" lock --slots 2 -w 60s gpu -- touch second &
told=$!
waiter 1
await_waiters 3
kill -s TERM "$told"
code=0
wait "$told" || code=$?
[ "$code" -eq 143 ] || fail "exit code $code"

kill -s KILL "$first_wrapper" "$first"
read -r name third <&8
[ "$name" = gpu/1of2 ] || fail "the slot of the dead is 1of2, not $name"
expect_code 0 "$HOLDFAST" journal count --type lock.recovered
expect_stdout_is 1
# The wrapper alone is killed: its command has the slot until it ends.
kill -s KILL "$wrapper"
waiter 2
await_waiters 2
expect_code 75 "$HOLDFAST" lock -n --slots 2 gpu -- touch second
kill -s KILL "$command"
read -r name fourth <&8
[ "$name" = gpu/2of2 ] || fail "the slot of the dead is 2of2, not $name"
kill -0 "$third" "$fourth" || fail 'a holder is gone'
echo >go.1
echo >go.2
kill -s CONT "$stopped"
wait "$stopped" || fail "who was stopped ended with $?"
wait
[ ! -e second ] || fail 'a dead waiter ran'
