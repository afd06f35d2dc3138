#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The lock of a file is two private files beside it, `.NAME.lock`, which stays empty, and `.NAME.hold`; both stay. Every
# command that changes the file takes it. `locks` lists the locks of the home, `locks --file` shows that of a file.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
umask 0

echo old >f
hold --file f
expect_code 75 "$HOLDFAST" update f --wait 0 -- echo late
expect_code 75 "$HOLDFAST" write f --wait 0 -- echo late
[ "$(cat f)" = old ] || fail 'changed without the lock of the file'
expect_code 0 "$HOLDFAST" locks --all --json
expect_json '[.locks[].name] | join(" ")' ''
expect_code 0 "$HOLDFAST" locks --file f --json
expect_json '"\(.state) \(.holder.pid)"' "held $work"
let_go
[ "$held_code" -eq 0 ] || fail "the holder ended with $held_code"
[ "$(stat -c '%a %s' .f.lock)" = '600 0' ] || fail "the sidecar: $(stat -c '%a %s' .f.lock)"
[ "$(stat -c %a .f.hold)" = 600 ] || fail "the record: $(stat -c %a .f.hold)"
expect_code 0 "$HOLDFAST" locks --file f --json
expect_json .state free
