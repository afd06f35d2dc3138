#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A ledger that was deleted or replaced under its holder: the token holds nothing any more, and the next fence is higher all the
# same.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

expect_code 66 "$HOLDFAST" check x --token 00000000000000000000000000000001
owner x
expect_code 0 "$HOLDFAST" check x --token "$token" --json
fence=$(json_field .fence)
rm "$HOLDFAST_HOME/locks/x.lock"
expect_code 77 "$HOLDFAST" check x --token "$token"
expect_code 77 "$HOLDFAST" renew x --token "$token"
expect_code 0 "$HOLDFAST" acquire x -n --json
[ "$(json_field .fence)" -gt "$fence" ] || fail 'the fence went backwards'
expect_code 77 "$HOLDFAST" check x --token "$token"
expect_code 77 "$HOLDFAST" release x --token "$token"
