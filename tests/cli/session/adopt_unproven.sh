#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without a control group an adopted session is watched by its command alone: its end leaves the session orphaned,
# and its deadline ends what can be found.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups

mkfifo go
orphan a -- sh -c 'read -r _ <go; exit 5'
expect_code 0 "$HOLDFAST" adopt a
expect_record a .state running
supervisor=$(record a .supervisor.pid)
echo >go
code=0
timeout 20 tail --pid="$supervisor" -f /dev/null || code=$?
[ "$code" -eq 0 ] || fail 'the adopter does not end'
expect_record a .state orphaned
expect_record a .reason unproven
expect_code 69 "$HOLDFAST" adopt a
expect_stderr_contains 'control group'
expect_code 0 "$HOLDFAST" stop a --assume-gone --reason test

orphan b --timeout 2s --grace 100ms -- sh -c 'trap "" TERM; setsid sleep 600 & while :; do sleep 600; done'
expect_code 0 "$HOLDFAST" adopt b
supervisor=$(record b .supervisor.pid)
timeout 20 tail --pid="$supervisor" -f /dev/null || fail 'the deadline did not come'
[ -z "$(carriers "$orphan_run")" ] || fail "left: $(carriers "$orphan_run")"
expect_record b .state orphaned
expect_code 0 "$HOLDFAST" stop b --assume-gone --reason test
