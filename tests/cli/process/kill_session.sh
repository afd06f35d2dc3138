#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# alive and kill take the name of a session: its command is meant, by the identity in its record.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --name x --detach -- sleep 1000
expect_code 0 "$HOLDFAST" alive x --json
expect_json .verdict live
pid=$(json_field .pid)
[ "$(cat "/proc/$pid/comm")" = sleep ] || fail 'that is not the command'
expect_code 0 "$HOLDFAST" identify "$pid"
json_field .run | grep -qx '[0-9a-f]\{32\}' || fail 'the command carries no run id'
expect_code 0 "$HOLDFAST" kill x --json
expect_json .outcome killed
expect_json .pid "$pid"
expect_code 66 "$HOLDFAST" alive x
expect_code 66 "$HOLDFAST" kill x
expect_code 66 "$HOLDFAST" kill no-such-session
