#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who kills `holdfast run` ends its whole tree: nothing of it goes on, and the session is `lost`, by evidence.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

waiter inner
waiter outer
sed -i 's/^ping/echo x>>inner.beats\r\nping/' inner.cmd
sed -i 's/^echo up/start \/b cmd \/c inner.cmd\r\necho up/' outer.cmd
"$HOLDFAST" run --name job -- "$cmd" /c outer.cmd >/dev/null 2>&1 &
front=$!
wait_until test -e outer.up
wait_until test -s inner.beats
expect_code 0 "$HOLDFAST" show job --json
expect_json .state running
expect_code 0 "$HOLDFAST" identify "$(json_field .pid)"
cp "$stdout" id
kill -s KILL "$front"
wait "$front" 2>/dev/null || :
# dead CMD…: until it answers that the process is no more.
dead() { code=0; "$HOLDFAST" alive @id || code=$?; [ "$code" -eq 66 ]; }
wait_until dead
expect_code 0 "$HOLDFAST" show job --json
expect_json .state lost
expect_json .exit_code null
# The inner one was in the tree only: three of its rounds later it has not moved.
beats=$(wc -l <inner.beats)
expect_code 0 "$HOLDFAST" run -- "$cmd" /c 'ping -n 4 127.0.0.1 >nul 2>nul'
[ "$(wc -l <inner.beats)" -eq "$beats" ] || fail 'what the command had started goes on'
expect_code 0 "$HOLDFAST" run --name job -- "$cmd" /c 'exit 0'
