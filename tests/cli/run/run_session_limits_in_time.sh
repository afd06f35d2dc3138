#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Deadline and idle limit end the whole tree: 124, state timed_out, the reason told apart; output keeps an idle limit
# away; --kill-signal is what is sent first.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# shellcheck disable=SC2016
expect_code 124 "$HOLDFAST" run --name t --timeout 300ms --grace 5s -- sh -c 'sleep 60 & setsid sleep 61 & echo $! >left; wait'
expect_record t .state timed_out
expect_record t .reason deadline
if kill -s 0 "$(cat left)" 2>/dev/null; then fail 'somebody is left'; fi

expect_code 124 "$HOLDFAST" run --name i --idle-timeout 400ms -- sh -c 'echo once; sleep 60'
expect_record i .state timed_out
expect_record i .reason idle
expect_stderr_contains 'nothing was printed for 400ms'
expect_code 0 "$HOLDFAST" run --idle-timeout 10s -- sh -c 'echo a; echo b >&2'
expect_stdout_is a
expect_stderr_contains b
expect_code 124 "$HOLDFAST" run --json --idle-timeout 300ms -- sleep 60
expect_json .state timed_out
expect_json .name null

expect_code 124 "$HOLDFAST" run --name s --timeout 2s --kill-signal USR1 -- sh -c 'trap "echo told; exit 0" USR1; while :; do sleep 0.05; done'
expect_stdout_is told
expect_code 64 "$HOLDFAST" run --kill-signal NOPE -- true
expect_code 64 "$HOLDFAST" run --idle-timeout 0 -- true
