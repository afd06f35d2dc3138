#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# At the deadline of `run --lock L` L is free only when the tree is gone; the wait for L uses up none of the time.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lock_command.inc"
. "$(dirname -- "$0")/../lib/process.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

export HOLDFAST
# It has five seconds for itself, and waits for longer than that: for the other one below.
hold W
"$HOLDFAST" run --lock W -w 1m --timeout 5s -- sh -c 'exit 5' 2>/dev/null &
waited=$!
wait_until sh -c '"$HOLDFAST" locks W --json | jq -e ".waiters | length == 1"'

mkfifo up
# shellcheck disable=SC2016
"$HOLDFAST" run --name n --lock L --timeout 5s --grace 300ms -- sh -c '
  setsid sh -c "trap \"\" TERM; echo \$\$ >up; while :; do sleep 600; done" & wait' 2>/dev/null &
run=$!
read -r left <up
# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" lock -w 30s L -- sh -c '[ ! -d "/proc/$0" ]' "$left"
code=0
wait "$run" || code=$?
[ "$code" -eq 124 ] || fail "exit code $code, not 124"

expect_code 75 "$HOLDFAST" lock -w 1s W -- true
let_go
code=0
wait "$waited" || code=$?
[ "$code" -eq 5 ] || fail "the wait for the lock used up its time: $code"
