#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The keeper of `acquire` takes no notice of TERM, INT and HUP while its owner lives, and ends with it.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

owner x
keeper=$(keepers)
for signal in TERM INT HUP; do kill -s "$signal" "$keeper"; done
# Twice: the waiter of the first would see a record that was freed meanwhile.
expect_code 75 "$HOLDFAST" acquire x -w 200ms
expect_code 75 "$HOLDFAST" acquire x -n
if is_gone "$keeper"; then fail 'the keeper has ended'; fi
expect_code 0 "$HOLDFAST" check x --token "$token"
end_owner KILL
wait_gone "$keeper"
expect_code 0 "$HOLDFAST" acquire x -n
