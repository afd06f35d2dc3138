#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session that waits for a lock is `waiting`, with the lock and its holder; `locks` names the session that waits.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --detach --name holder --lock repo -- sleep 600
"$HOLDFAST" run --name late --lock other --lock repo --wait 10m -- true >/dev/null 2>&1 &
late=$!
until "$HOLDFAST" ps --json | jq -e '.sessions[] | select(.state == "waiting")' >/dev/null; do sleep 0.05; done
expect_code 0 "$HOLDFAST" show late --json
expect_json .state waiting
expect_json .waits_for.lock repo
expect_json .waits_for.holder.reason 'session holder'
expect_code 0 "$HOLDFAST" ps --state waiting
expect_stdout_contains 'for lock repo, held by '
expect_code 0 "$HOLDFAST" show late
expect_stdout_contains 'for lock repo, held by '
expect_code 0 "$HOLDFAST" locks repo --json
expect_json '.waiters[0].session' late
expect_code 0 "$HOLDFAST" locks
expect_stdout_contains '1 waiting (session late)'
expect_code 0 "$HOLDFAST" locks repo
expect_stdout_contains 'session late'

expect_code 0 "$HOLDFAST" stop holder
wait "$late" || fail "the run that waited: $?"
expect_code 0 "$HOLDFAST" show late --json
expect_json .state exited
expect_json .waits_for null
