#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `wait` sleeps until the record says the end and exits as the session did; `--until` waits for a state.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

expect_code 66 "$HOLDFAST" wait x
expect_code 64 "$HOLDFAST" wait x --until nonsense
sleeper
put_session x starting "$sleeper"
expect_code 75 "$HOLDFAST" wait x --timeout 0 --json
expect_json .error.cause timeout
expect_json .state starting
expect_code 75 "$HOLDFAST" wait x --timeout 50ms

# Woken by each change: these would sleep for ever otherwise.
"$HOLDFAST" wait x --until running &
until_running=$!
"$HOLDFAST" wait x &
until_end=$!
put_session x running "$sleeper"
wait "$until_running" || fail "--until running: $?"
expect_code 66 "$HOLDFAST" wait x --until starting
expect_code 66 "$HOLDFAST" wait x --until failed
expect_code 64 "$HOLDFAST" wait x --until 'done'
put_session x exited "$sleeper" '.exit_code = 75'
code=0
wait "$until_end" || code=$?
[ "$code" -eq 75 ] || fail "the end: $code"
expect_code 75 "$HOLDFAST" wait x --json
expect_json '.error' null
expect_code 0 "$HOLDFAST" wait x --until exited
expect_code 66 "$HOLDFAST" wait x --until running

put_session x killed "$sleeper" '.signal = 9'
expect_code 137 "$HOLDFAST" wait x
put_session x timed_out "$sleeper"
expect_code 124 "$HOLDFAST" wait x
put_session x unverified "$sleeper" '.exit_code = 0'
expect_code 76 "$HOLDFAST" wait x
put_session x failed "$sleeper" '.reason = "not-found"'
expect_code 127 "$HOLDFAST" wait x
put_session x lost "$sleeper"
expect_code 69 "$HOLDFAST" wait x
