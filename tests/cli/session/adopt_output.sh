#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The death of a supervisor does not break the command's pipes: the command waits, and the adopter's log has all that it
# prints. Where the command prints to something else by now, the record says that the log does not go on.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go away
orphan a -- sh -c 'read -r _ <go; head -c 200000 /dev/zero; echo end >ended'
need_group
echo >go
# An adopter takes a second or two to see an end, so both end at the same time.
"$HOLDFAST" run --detach --name b -- sh -c 'echo one; exec >elsewhere 2>&1; echo >away; read -r _ <go; echo two' >/dev/null
read -r _ <away
[ ! -e ended ] || fail 'somebody took more than a pipe holds'
kill -s KILL "$(record b .supervisor.pid)"
"$HOLDFAST" wait b --until orphaned
expect_code 0 "$HOLDFAST" adopt b
expect_code 0 "$HOLDFAST" adopt a
echo >go
wait_for_end a
[ -s ended ] || fail 'the command did not go on'
"$HOLDFAST" logs a >log
[ "$(wc -c <log)" -eq 200000 ] || fail "its log has $(wc -c <log) bytes"
wait_for_end b
expect_record b '.detail | test("its log does not go on")' true
[ "$("$HOLDFAST" logs b)" = one ] || fail "its log: $("$HOLDFAST" logs b)"
[ "$(cat elsewhere)" = two ] || fail 'the command did not go on'
