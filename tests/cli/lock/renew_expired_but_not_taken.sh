#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lease that has run out and was taken by nobody: check says no, renew says yes.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x --ttl 100ms
while "$HOLDFAST" check x --token "$token" 2>/dev/null; do :; done
expect_code 77 "$HOLDFAST" check x --token "$token" --json
expect_json .error.cause lease-expired
expect_json .expired true
expect_code 75 "$HOLDFAST" acquire x -n
expect_code 0 "$HOLDFAST" renew x --token "$token" --ttl 1h --json
expect_json .had_expired true
expect_code 0 "$HOLDFAST" check x --token "$token"
expect_code 75 "$HOLDFAST" acquire x -n --on-expired take
