#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --auto-renew the keeper renews a short lease as long as its owner lives; without it a silent owner loses the lock.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

waiter owner
expect_code 0 "$HOLDFAST" run --detach --name owner -- "$cmd" /c owner.cmd
wait_until test -e owner.up
expect_code 0 "$HOLDFAST" show owner --json
owner=$(json_field .pid)

token=$("$HOLDFAST" acquire x --owner "$owner" --ttl 6s --auto-renew) || fail 'no lock'
expect_code 75 "$HOLDFAST" acquire x --owner none --ttl 60s -w 10s --on-expired take
expect_code 0 "$HOLDFAST" check x --token "$token"

silent=$("$HOLDFAST" acquire y --owner "$owner" --ttl 200ms) || fail 'no lock'
expect_code 0 "$HOLDFAST" acquire y --owner none --ttl 60s -w 30s --on-expired take --json
expect_json .cause expired
expect_code 77 "$HOLDFAST" renew y --token "$silent"

# The owner's end frees what the keeper kept.
: >owner.go
expect_code 0 "$HOLDFAST" acquire x --owner none --ttl 60s -w 30s
