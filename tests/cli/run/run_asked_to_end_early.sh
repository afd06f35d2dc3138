#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that is asked to end while it waits for its lock starts nothing, 128+n; one that is asked while it verifies is
# unverified, by signal and by the session's own way to be asked.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go
"$HOLDFAST" lock L -- sh -c 'read -r _ <go' &
holder=$!
until "$HOLDFAST" locks L 2>/dev/null | grep -q held; do sleep 0.05; done
"$HOLDFAST" run --name w --lock L -w 100 -- touch ran >"$stdout" 2>"$stderr" &
run=$!
until [ "$("$HOLDFAST" locks --json L | jq '.waiters | length')" -eq 1 ]; do sleep 0.05; done
kill -s TERM "$run"
code=0
wait "$run" || code=$?
[ "$code" -eq 143 ] || fail "exit code $code, not 143"
expect_stderr_contains 'nothing was started'
echo >go
wait "$holder"
[ ! -e ran ] || fail 'it ran'
expect_record w .state failed

expect_code 0 "$HOLDFAST" run --detach --name v --verify 'touch verifying; sleep 100' -- true
until [ -e verifying ]; do sleep 0.05; done
expect_code 0 "$HOLDFAST" stop v --grace 1
expect_record v .state unverified
expect_record v .verified null
expect_record v .exit_code 0
