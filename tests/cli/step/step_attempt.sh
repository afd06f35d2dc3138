#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `attempt`: failures are counted with growing pauses, 75 before the time, 77 after the last; 0 is done for good.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

attempt() { "$HOLDFAST" attempt "$@"; }
past() { end_pause "$(step_file attempt "$1")"; }

expect_code 3 attempt k --max 3 --backoff 5m,30m --json -- sh -c 'echo ran >>ran; exit 3'
expect_json .decision ran
expect_json .attempts 1
expect_json .max 3
[ "$(json_field .next)" != null ] || fail 'nobody is told when to come again'
expect_code 75 attempt k --max 3 --backoff 5m,30m --json -- sh -c 'echo ran >>ran; exit 3'
expect_json .decision wait
expect_json .error.cause not-yet
[ "$(json_field .next)" != null ] || fail 'nobody is told when to come again'
expect_code 0 "$HOLDFAST" step show --kind attempt k --json
expect_json .state waiting
expect_json .attempts 1
[ "$(jq .next.wait_ms "$(step_file attempt k)")" -eq 300000 ] || fail 'the first pause is not the first'
past k
expect_code 3 attempt k --max 3 --backoff 5m,30m -- sh -c 'echo ran >>ran; exit 3'
expect_stderr_contains 'attempt 2 of 3 failed'
[ "$(jq .next.wait_ms "$(step_file attempt k)")" -eq 1800000 ] || fail 'the second pause is not the second'
past k
expect_code 127 attempt k --max 3 --backoff 5m,30m -- no-such-command
past k
expect_code 77 attempt k --max 3 --backoff 5m --json -- sh -c 'echo ran >>ran'
expect_json .decision exhausted
expect_json .next null
expect_json '.error.detail | test("^3 attempts have failed;")' true
expect_runs 2
expect_code 0 "$HOLDFAST" step list --kind attempt --json
expect_json '.steps[0].state' exhausted
expect_code 0 "$HOLDFAST" step forget --kind attempt k --reason 'a new token'
expect_code 66 "$HOLDFAST" step show --kind attempt k
expect_code 0 "$HOLDFAST" journal query --type step.forgotten --json
expect_stdout_contains 'a new token'
expect_code 0 attempt k --max 3 -- sh -c 'echo ran >>ran'
expect_code 0 attempt k --max 3 --json -- sh -c 'echo ran >>ran'
expect_json .decision skipped
expect_runs 3

expect_code 1 attempt j --max 9 --backoff 100s --jitter -- false
wait_ms=$(jq .next.wait_ms "$(step_file attempt j)")
{ [ "$wait_ms" -ge 100000 ] && [ "$wait_ms" -le 125000 ]; } || fail "a pause of $wait_ms ms"
expect_code 64 attempt k -- true
expect_code 64 attempt k --max 0 -- true
expect_code 64 attempt k --max 1 --backoff 5x -- true
expect_code 64 attempt k --max 1 --backoff 5m, -- true
