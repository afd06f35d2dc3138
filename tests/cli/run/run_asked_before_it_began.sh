#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that is asked to end while it waits for a lock was stopped: nothing was busy.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/lock_command.inc" # wait_until

mkfifo go
"$HOLDFAST" lock L -- sh -c 'read -r word <go' &
holder=$!
wait_until sh -c "[ \"\$('$HOLDFAST' locks L --json | jq -r .state)\" = held ]"
"$HOLDFAST" run --name q --lock L --wait 1h -- touch ran &
run=$!
wait_until sh -c "'$HOLDFAST' locks L --json | jq -e '.waiters | length == 1'"
kill -s TERM "$run"
code=0
wait "$run" || code=$?
[ "$code" -eq 143 ] || fail "exit code $code"
expect_code 0 "$HOLDFAST" show q --json
expect_json .state failed
expect_json .reason stopped
[ ! -e ran ] || fail 'it ran'
echo go >go
wait "$holder"
