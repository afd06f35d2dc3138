#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lease without a process ends with its time: the next one is granted the lock, and the old token is refused everywhere. Until
# then a renewal keeps it.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

expect_code 0 "$HOLDFAST" acquire x --owner none --ttl 1h --json
expect_json .owner null
expect_json .ttl_ms 3600000
old=$(json_field .token)
fence=$(json_field .fence)
[ -z "$(keepers)" ] || fail 'a process holds it'
expect_code 75 "$HOLDFAST" acquire x -n --on-expired take
expect_code 0 "$HOLDFAST" renew x --token "$old" --progress --json
expect_json .had_expired false
expect_code 0 "$HOLDFAST" locks x --json
expect_json .binding ttl
expect_json '.since_progress_ms >= 0' true
expect_code 64 "$HOLDFAST" renew x --token "$old" --ttl 1ms

# Shortened under a waiter, who is told.
"$HOLDFAST" acquire x -w 30s --json >"$stdout" &
waiter=$!
wait_waiter x
"$HOLDFAST" renew x --token "$old" --ttl 100ms || fail 'not renewed'
wait "$waiter" || fail 'the waiter did not get it'
expect_json .cause expired
[ "$(json_field .fence)" -gt "$fence" ] || fail 'the fence did not rise'
for command in check renew release; do expect_code 77 "$HOLDFAST" "$command" x --token "$old"; done
