#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# acquire, check, renew and release of a slot: the token says which one it is; leases of slots run out one by one.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" acquire --slots 2 gpu --owner $$ --json
expect_json .lock gpu/1of2
first=$(json_field .token)
second=$("$HOLDFAST" acquire --slots 2 gpu --owner $$)
expect_code 75 "$HOLDFAST" acquire -n --slots 2 gpu --owner $$
expect_code 0 "$HOLDFAST" check gpu --slots 2 --token "$second" --json
expect_json .lock gpu/2of2
expect_code 0 "$HOLDFAST" check gpu/1of2 --token "$first"
expect_code 77 "$HOLDFAST" release gpu --slots 2 --token 00112233445566778899aabbccddeeff
expect_code 0 "$HOLDFAST" release gpu --slots 2 --token "$first"
expect_code 77 "$HOLDFAST" check gpu --slots 2 --token "$first"
expect_code 0 "$HOLDFAST" check gpu --slots 2 --token "$second"
expect_code 0 "$HOLDFAST" acquire -n --slots 2 gpu --owner $$ --json
expect_json .lock gpu/1of2
expect_code 0 env HOLDFAST_TOKEN="$(json_field .token)" "$HOLDFAST" release gpu --slots 2
expect_code 0 "$HOLDFAST" release gpu --slots 2 --token "$second"

# Leases: one has run out, and only that slot is taken.
"$HOLDFAST" acquire --slots 2 lease --owner none --ttl 1h >long
"$HOLDFAST" acquire --slots 2 lease --owner none --ttl 100ms >short
expect_code 0 "$HOLDFAST" lock --slots 2 -w 60s --on-expired take lease -- sh -c '[ "$HOLDFAST_LOCK" = lease/2of2 ]'
expect_code 0 "$HOLDFAST" check lease --slots 2 --token @long
expect_code 77 "$HOLDFAST" check lease --slots 2 --token @short
expect_code 0 "$HOLDFAST" renew lease --slots 2 --token @long --ttl 2h --json
expect_json .ttl_ms 7200000
