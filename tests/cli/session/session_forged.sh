#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A record may name process 1 or a stranger: it is judged like any other, and nothing happens to them.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

sleeper
stranger=$sleeper
put_session one running 1 '.command = .supervisor'
put_session recycled running "$stranger" '.supervisor.start -= 1 | .supervisor.pidfs = 0'
put_session elsewhere running "$stranger" '.supervisor.pidns = 0'

expect_code 0 "$HOLDFAST" show recycled --json
expect_json .state orphaned
expect_json .evidence recycled
expect_code 69 "$HOLDFAST" show elsewhere --json
expect_json .state running
expect_json .known false
expect_json .pid null
expect_code 0 "$HOLDFAST" ps
expect_stdout_contains 'running?'
expect_code 75 "$HOLDFAST" wait one --timeout 0
expect_code 75 "$HOLDFAST" wait elsewhere --timeout 0
kill -s 0 "$stranger" || fail 'the stranger is gone'
