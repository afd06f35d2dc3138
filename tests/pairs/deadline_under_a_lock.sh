#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# At the deadline of `run --lock L` L is free only when the tree is gone; the wait for L uses up none of the time.
. "$(dirname -- "$0")/../cli/run_session.inc"
. "$(dirname -- "$0")/../cli/lock_command.inc"
. "$(dirname -- "$0")/../cli/process.inc"
. "$(dirname -- "$0")/../cli/lib.sh"

mkfifo up
# shellcheck disable=SC2016
"$HOLDFAST" run --name n --lock L --timeout 300ms --grace 300ms -- sh -c '
  setsid sh -c "trap \"\" TERM; echo \$\$ >up; while :; do sleep 600; done" & wait' 2>/dev/null &
run=$!
read -r left <up
# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" lock -w 30s L -- sh -c '[ ! -d "/proc/$0" ]' "$left"
code=0
wait "$run" || code=$?
[ "$code" -eq 124 ] || fail "exit code $code, not 124"

hold L
"$HOLDFAST" run --lock L -w 30s --timeout 400ms -- sh -c 'exit 5' 2>/dev/null &
run=$!
until [ "$("$HOLDFAST" locks L --json | jq '.waiters | length')" -eq 1 ]; do :; done
expect_code 75 "$HOLDFAST" lock -w 600ms L -- true
let_go
code=0
wait "$run" || code=$?
[ "$code" -eq 5 ] || fail "the wait for the lock used up its time: $code"
