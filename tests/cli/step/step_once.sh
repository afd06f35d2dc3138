#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `once`: only exit 0 is done; every other end passes through and frees the key; --ttl makes it due again.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

once() { "$HOLDFAST" once "$@"; }
expect_code 7 once k --json -- sh -c 'echo ran >>ran; exit 7'
expect_json .decision ran
expect_json .exit_code 7
expect_code 143 once k -- sh -c 'echo ran >>ran; kill -TERM $$'
expect_code 124 once k --timeout 1s --grace 0 -- sh -c 'echo ran >>ran; sleep 60'
expect_code 127 once k -- no-such-command
expect_runs 3
expect_code 0 once k --json -- sh -c 'echo ran >>ran; echo out'
expect_json .decision ran
expect_json .state exited
expect_json .session once:k
expect_json .repeated false
expect_stderr_contains out
expect_code 0 once k --json -- sh -c 'echo ran >>ran'
expect_json .decision skipped
expect_json .exit_code null
expect_runs 4
expect_code 0 "$HOLDFAST" step show --kind once k --json
expect_json .state 'done'
expect_json .runs 5
expect_json '.history | map(.state) | join(" ")' 'exited killed timed_out failed exited'
[ "$(stat -c %a "$(step_file once k)")" = 600 ] || fail 'its record can be read by others'

# The command has the caller's streams, and its code is told from holdfast's own.
expect_code 0 once streams -- cat <"$0"
cmp -s "$0" "$stdout" || fail 'stdin and stdout are not the caller'\''s'
expect_code 75 once own --status-fd 3 -- sh -c 'exit 75' 3>status
[ "$(jq -r .by status)" = command ] || fail 'whose 75 is it?'

expect_code 0 once k --ttl 1h -- sh -c 'echo ran >>ran'
expect_runs 4
expect_code 0 once k --ttl 1ms -- sh -c 'echo ran >>ran'
expect_runs 5
expect_code 64 once k --ttl 0 -- true
expect_code 64 once '' -- true
expect_code 64 once "$(printf '%0130d' 0)" -- true
expect_code 64 once k
