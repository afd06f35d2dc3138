#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `resume` takes the recorded locks again and holds them while it runs; if one is busy, nothing runs.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lock_command.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up end
expect_code 0 "$HOLDFAST" run --name n --lock K --lock L -- sh -c 'echo >>ran; [ -e first ] || { : >first; exit 0; }; echo >up; read -r _ <end'
hold L
"$HOLDFAST" resume n 2>waiting &
resumed=$!
until [ "$("$HOLDFAST" locks L --json | jq '.waiters | length')" -eq 1 ]; do :; done
"$HOLDFAST" stop n >/dev/null 2>&1 || fail 'a run that waits cannot be stopped'
wait "$resumed" && fail 'it ran'
[ "$(wc -l <ran)" -eq 1 ] || fail 'it ran without its lock'
expect_code 0 "$HOLDFAST" lock -n K -- true
let_go
"$HOLDFAST" resume n &
read -r _ <up
expect_code 75 "$HOLDFAST" lock -n K -- true
expect_code 75 "$HOLDFAST" lock -n L -- true
echo >end
wait "$!" || fail 'the resumed run failed'
expect_code 0 "$HOLDFAST" lock -n L -- true
