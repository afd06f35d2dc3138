#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A damaged record is unknown and never free; break writes it anew where nobody lives, with a higher fence.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x
expect_code 0 "$HOLDFAST" locks x --json
fence=$(json_field .fence)
dd if=/dev/urandom of="$HOLDFAST_HOME/locks/x.lock" bs=1024 seek=1 count=2 conv=notrunc 2>/dev/null

expect_code 0 "$HOLDFAST" locks x --json
expect_json .state held
expect_json .evidence damaged-record
id=$(json_field .break_id)
expect_code 75 "$HOLDFAST" acquire x -n
expect_code 65 "$HOLDFAST" check x --token "$token"
expect_code 75 "$HOLDFAST" break x --id "$id" --reason test

keeper=$(keepers)
end_owner KILL
wait_gone "$keeper"
expect_code 69 "$HOLDFAST" locks x --json
expect_json .state unknown
expect_json .break_id "$id"
expect_code 65 "$HOLDFAST" acquire x -n
expect_code 0 "$HOLDFAST" break x --id "$id" --reason test
expect_code 0 "$HOLDFAST" acquire x -n --json
[ "$(json_field .fence)" -gt "$fence" ] || fail 'the fence did not rise'
