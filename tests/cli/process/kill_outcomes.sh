#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each outcome of a kill has its exit code, its word in the document and its event.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
"$HOLDFAST" identify "$pid" >id
jq -c '.pidfs += 1 | .start += 1' <id >other
expect_code 77 "$HOLDFAST" kill @other --json
expect_json .outcome mismatch
expect_json '.survivors | length' 0
expect_lives "$pid"
jq -c '.pidns = 0' <id >elsewhere
expect_code 69 "$HOLDFAST" kill @elsewhere --json
expect_json .outcome unproven
[ "$(count_events process.kill_refused)" -eq 2 ] || fail 'the refusals are not on record'
[ "$(count_events process.killed)" -eq 0 ] || fail 'a kill was announced'

expect_code 0 "$HOLDFAST" kill @id --json
expect_json .outcome killed
expect_dead "$pid"
[ "$(count_events process.killed)" -eq 1 ] || fail 'the kill is not on record'
"$HOLDFAST" journal query --type process.killed --json >event
[ "$(jq .data.identity.start <event)" = "$(jq .start <id)" ] || fail 'the event has no identity'
expect_code 66 "$HOLDFAST" kill @id --json
expect_json .outcome gone
wait "$pid" || :
expect_code 66 "$HOLDFAST" kill @id

start ignore-term
"$HOLDFAST" identify "$pid" >id
expect_code 72 "$HOLDFAST" kill @id --signal TERM --wait 0.1 --json
expect_json .outcome survivors
expect_json '.survivors[0].pid' "$pid"
[ "$(count_events process.survivors)" -eq 1 ] || fail 'the survivor is not on record'
expect_code 72 "$HOLDFAST" kill @id --signal TERM --wait 0.1
expect_stderr_contains "(pid $pid)"
expect_code 0 "$HOLDFAST" kill @id --signal CONT --json
expect_json .outcome signalled
expect_lives "$pid"
expect_code 0 "$HOLDFAST" kill @id --grace 0.1
expect_dead "$pid"
wait "$pid" || :
start ignore-term
expect_code 0 "$HOLDFAST" kill "$("$HOLDFAST" identify "$pid")" --signal SIGKILL --json
expect_json .outcome killed
wait "$pid" || :
