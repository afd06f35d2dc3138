#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Under a lock, `acquire` for an owner that does not run under it, or for none, does not enter that hold again.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

outside=$$
export outside
expect_code 75 "$HOLDFAST" lock x -- "$HOLDFAST" acquire x -n --owner none --ttl 1h
expect_code 75 "$HOLDFAST" lock x -- sh -c '"$HOLDFAST" acquire x -n --owner "$outside"'
expect_code 0 "$HOLDFAST" lock x -- sh -c '"$HOLDFAST" acquire x -n --owner $$ --json'
expect_json .reentered true
# Another lock is theirs.
expect_code 0 "$HOLDFAST" lock x -- sh -c '"$HOLDFAST" acquire y -n --owner "$outside"'
expect_code 75 "$HOLDFAST" acquire y -n
