#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gc removes the ledgers of idle locks and of no others, and a name that is used again goes on with a higher fence.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

fence_of() { "$HOLDFAST" lock "$1" -- sh -c 'echo "$HOLDFAST_FENCE"'; }
used=0
while [ "$used" -lt 50 ]; do
  used=$((used + 1))
  "$HOLDFAST" lock "used-$used" -- true
done
before=$(fence_of again)
owner held
expect_code 0 "$HOLDFAST" gc --json
expect_json .retired 0
[ -e "$HOLDFAST_HOME/locks/again.lock" ] || fail 'what was used just now is gone'
expect_code 0 "$HOLDFAST" gc --trash-for 0s --json
retired=$(json_field .retired)
[ "$retired" -ge 51 ] || fail "only $retired were retired"
[ "$(find "$HOLDFAST_HOME/locks" -name '*.lock')" = "$HOLDFAST_HOME/locks/held.lock" ] || fail "left: $(ls "$HOLDFAST_HOME/locks")"
expect_code 75 "$HOLDFAST" acquire held -n
[ "$(fence_of again)" -gt "$before" ] || fail 'the fence went back'
expect_code 0 "$HOLDFAST" gc --plan --trash-for 0s
[ -e "$HOLDFAST_HOME/locks/again.lock" ] || fail '--plan has retired it'
