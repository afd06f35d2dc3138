#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `stop` has the supervisor end the session, also one that is stopped, and says `killed` over a final record;
# what is over, or never was, is 66.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 66 "$HOLDFAST" stop nobody
[ ! -d "$HOLDFAST_HOME" ] || fail 'a home was made for nothing'
"$HOLDFAST" run --detach --name a -- sleep 600
expect_code 0 "$HOLDFAST" stop a --json
expect_json .outcome killed
expect_json .state killed
expect_json '.survivors | length' 0
expect_record a .state killed
expect_record a .reason stopped
expect_code 66 "$HOLDFAST" stop a --json
expect_json .outcome gone
expect_json .evidence recorded
expect_code 66 "$HOLDFAST" stop nobody --json
expect_json .evidence no-such-session

# One that ignores TERM gets KILL behind the grace; one whose supervisor is stopped is woken.
"$HOLDFAST" run --detach --name deaf -- sh -c 'trap "" TERM; echo ready; while :; do sleep 600; done'
"$HOLDFAST" run --detach --name still --grace 1s -- sleep 600
kill -s STOP "$(record still .supervisor.pid)"
expect_code 0 "$HOLDFAST" stop deaf still --grace 200ms --json
expect_json '[.sessions[].outcome] | unique | join(",")' killed
expect_record still .state killed

# Another first signal.
"$HOLDFAST" run --detach --name polite -- sh -c 'trap "exit 7" USR1; echo ready; while :; do sleep 1; done'
"$HOLDFAST" logs polite -f | head -n 1 >/dev/null
expect_code 0 "$HOLDFAST" stop polite --signal USR1
expect_record polite .exit_code 7

# All of them, and of several names the worst answer.
"$HOLDFAST" run --detach --name b -- sleep 600
"$HOLDFAST" run --detach --name c -- sleep 600
expect_code 66 "$HOLDFAST" stop b nobody
expect_record b .state killed
expect_code 0 "$HOLDFAST" stop --all --json
expect_json '.sessions | map(.name) | join(",")' c
expect_code 0 "$HOLDFAST" stop --all
expect_code 64 "$HOLDFAST" stop
expect_code 64 "$HOLDFAST" stop a --all
expect_code 64 "$HOLDFAST" stop a --assume-gone
expect_code 64 "$HOLDFAST" stop a --reason x
