#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A named run leaves a record and a log; its name is taken by one at a time; the next run keeps the last one.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

expect_code 3 "$HOLDFAST" run --name job -- "$cmd" /c 'echo first & exit 3'
expect_code 0 "$HOLDFAST" show job --json
expect_json .state exited
expect_json .exit_code 3
expect_code 0 "$HOLDFAST" logs job
expect_stdout_contains first
expect_code 3 "$HOLDFAST" wait job
expect_code 0 "$HOLDFAST" run --name job -- "$cmd" /c 'echo second'
expect_code 0 "$HOLDFAST" logs job
expect_stdout_contains second
[ -e "$HOLDFAST_HOME/sessions/job/runs/1/out.log" ] || fail 'the first log was not kept'
expect_code 0 "$HOLDFAST" ps --all --json
expect_json '.sessions | map(.name) | join(" ")' job

waiter held
"$HOLDFAST" run --name busy -- "$cmd" /c held.cmd >/dev/null 2>&1 &
first=$!
wait_until test -e held.up
expect_code 75 "$HOLDFAST" run --name busy -- "$cmd" /c 'echo ran>ran'
[ ! -e ran ] || fail 'two of one name ran at once'
expect_code 0 "$HOLDFAST" show busy --json
expect_json .state running
: >held.go
wait "$first" || fail "the first ended with $?"
expect_code 0 "$HOLDFAST" journal count --type 'session.*'
[ "$(cat "$stdout")" -ge 3 ] || fail 'the runs are not on record'
