#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# When the owner is killed, the lock is free at once, whoever waits; its keeper ends, and the old token is refused.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x
keeper=$(keepers)
[ -n "$keeper" ] || fail 'there is no keeper'
"$HOLDFAST" acquire x -w 30s --json >"$stdout" &
waiter=$!
wait_waiter x
end_owner KILL
wait "$waiter" || fail 'the waiter did not get it'
expect_json .owner.pid $$
[ "$(json_field '.fence > 1')" = true ] || fail 'the fence did not rise'
wait_gone "$keeper"
expect_code 77 "$HOLDFAST" check x --token "$token"

# The same for the lock of a file.
: >f
owner --file f
end_owner KILL
expect_code 0 "$HOLDFAST" acquire --file f -w 5s
