#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A killed keeper does not free the lock: the owner lives, and nobody else is granted it until that has ended.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x
keeper=$(keepers)
kill -s KILL "$keeper"
wait_gone "$keeper"
expect_code 75 "$HOLDFAST" acquire x -n
expect_code 0 "$HOLDFAST" check x --token "$token"
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state held
expect_json .evidence work-lives
"$HOLDFAST" acquire x -w 30s --json >"$stdout" &
waiter=$!
wait_waiter x
end_owner KILL
wait "$waiter" || fail 'the waiter did not get it'
expect_json .cause dead
[ "$(count_events lock.recovered)" -eq 1 ] || fail 'the recovery is not on record'

# Its token still releases it.
owner y
kill -s KILL "$(keepers | grep -v "^$keeper\$" | tail -n 1)"
expect_code 0 "$HOLDFAST" release y --token "$token"
expect_code 0 "$HOLDFAST" acquire y -n
