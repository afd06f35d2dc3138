#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A waiter with `-w forever` is seen by others and is let in when the holder goes; one that is told to end while it
# waits ends at once; readers share.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
waiting() { "$HOLDFAST" locks x --json | jq -e ".waiters | length == $1"; }

hold x
"$HOLDFAST" lock -w forever x -- touch forever &
waiter=$!
wait_until waiting 1
for name in TERM HUP INT; do
  env --default-signal=INT "$HOLDFAST" lock -w forever x -- touch ran &
  other=$!
  wait_until waiting 2
  kill -s "$name" "$other"
  code=0
  wait "$other" 2>/dev/null || code=$?
  [ "$code" -gt 128 ] || fail "$name: exit code $code"
  wait_until waiting 1
done
[ ! -e forever ] || fail 'the waiter did not wait'
let_go
wait "$waiter" || fail 'the waiter was not let in'
[ -e forever ] || fail 'the waiter did not run'
[ ! -e ran ] || fail 'ran after it was told to end'

hold -s x
expect_code 0 "$HOLDFAST" lock -n -s x -- true
expect_code 75 "$HOLDFAST" lock -n x -- touch ran
expect_code 75 "$HOLDFAST" lock -s x -- "$HOLDFAST" lock -n x -- touch ran
expect_stderr_contains 'would wait for itself'
let_go
hold x
expect_code 75 "$HOLDFAST" lock -n -s x -- touch ran
let_go
[ ! -e ran ] || fail 'ran beside readers'
