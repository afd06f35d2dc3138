#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --auto-renew the keeper renews a short lease as long as the owner lives; without it a silent owner loses the lock to who
# takes it.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x --ttl 2s --auto-renew
expect_code 75 "$HOLDFAST" acquire x -w 5s --on-expired take
expect_code 0 "$HOLDFAST" check x --token "$token"
end_owner KILL

owner y --ttl 200ms
expect_code 0 "$HOLDFAST" acquire y -w 30s --on-expired take --json
expect_json .cause expired
taken=$(json_field .token)
expect_code 77 "$HOLDFAST" renew y --token "$token"
[ "$(count_events lock.taken)" -eq 1 ] || fail 'the take-over is not on record'
expect_code 0 "$HOLDFAST" check y --token "$taken"
