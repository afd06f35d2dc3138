#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# break ends the hold that was looked at and no other; the decision is on record, and the old token is refused everywhere.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

expect_code 66 "$HOLDFAST" break x --id 0123456789abcdef --reason test
owner x
expect_code 0 "$HOLDFAST" locks x --json
id=$(json_field .break_id)
fence=$(json_field .fence)
expect_code 77 "$HOLDFAST" break x --id 0123456789abcdef --reason test
expect_code 0 "$HOLDFAST" check x --token "$token"
expect_code 0 "$HOLDFAST" break x --id "$id" --reason 'the host is gone' --json
expect_json .holder.pid "$owner"
[ "$(count_events lock.broken)" -ge 1 ] || fail 'it is not on record'
"$HOLDFAST" journal query --type lock.broken | grep -q 'the host is gone' || fail 'the reason is not on record'
for command in check renew release; do expect_code 77 "$HOLDFAST" "$command" x --token "$token"; done

expect_code 0 "$HOLDFAST" acquire x -n --json
[ "$(json_field .fence)" -gt "$fence" ] || fail 'the fence did not rise'
next=$(json_field .token)
expect_code 77 "$HOLDFAST" break x --id "$id" --reason 'too late'
expect_code 0 "$HOLDFAST" check x --token "$next"
expect_code 0 "$HOLDFAST" release x --token "$next"
expect_code 66 "$HOLDFAST" break x --id "$id" --reason 'nobody'
