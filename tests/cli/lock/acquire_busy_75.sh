#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A held lock is 75, and the message and the document name the holder; waiting ends when it is released.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x --reason 'nightly build'
expect_code 75 "$HOLDFAST" acquire x -n
expect_no_stdout
expect_stderr_contains "pid $owner"
expect_stderr_contains 'nightly build'
expect_code 75 "$HOLDFAST" acquire x -w 50ms --json
expect_json .error.cause timeout
expect_json .holder.pid "$owner"

"$HOLDFAST" acquire x -w 30s >"$scratch/second" &
waiter=$!
wait_waiter x
expect_code 0 "$HOLDFAST" release x --token "$token"
wait "$waiter" || fail 'the waiter did not get it'
read -r second <"$scratch/second"
[ "$second" != "$token" ] || fail 'the same token twice'
expect_code 0 "$HOLDFAST" check x --token "$second"
expect_code 75 "$HOLDFAST" acquire x -n
expect_stderr_contains 'the caller itself'
