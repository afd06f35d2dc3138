#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# acquire --fail-open: for a named reason a script goes on without the lock, with 0 and no token, and the event is on
# record; for any other reason, and where it cannot be recorded, it is closed.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
opened() { "$HOLDFAST" journal count --type lock.fail_open; }

hold x
expect_code 75 "$HOLDFAST" acquire x -n --owner $$ --fail-open enospc,unknown,eio,emfile
[ "$(opened)" -eq 0 ] || fail 'on record'
for word in timeout any; do
  expect_code 0 "$HOLDFAST" acquire x -n --owner $$ --fail-open "$word"
  expect_no_stdout
  expect_stderr_contains 'WITHOUT the lock'
done
expect_code 0 "$HOLDFAST" acquire x -n --owner $$ --fail-open any --json
expect_json '[.token, .open_reason, .lock] | map(tostring) | join(" ")' 'null timeout x'
[ "$(opened)" -eq 3 ] || fail "on record $(opened) times"
expect_code 0 "$HOLDFAST" lock x -n --fail-open any -- true
let_go
T=$("$HOLDFAST" acquire x --owner $$ --fail-open any) || fail 'not acquired'
[ -n "$T" ] || fail 'a free lock, and no token'
expect_code 0 "$HOLDFAST" release x --token "$T"

# A record that a newer version wrote is "cannot tell": its word is `unknown`; damage and unsafe files have no word.
expect_code 64 "$HOLDFAST" acquire x --owner $$ --fail-open all
ln -s elsewhere "$HOLDFAST_HOME/locks/y.lock"
expect_code 77 "$HOLDFAST" acquire y --owner $$ --fail-open any
