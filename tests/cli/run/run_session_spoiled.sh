#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A success whose output could not be shown is 74, and says why; the hook at the end of a run writes nothing into the
# log of the next one, and its failure is on record.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ -c /dev/full ] || skip 'there is no /dev/full'

code=0
"$HOLDFAST" run --name full -- seq 1000 >/dev/full 2>"$stderr" || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74"
expect_stderr_contains 'No space left on device'
code=0
"$HOLDFAST" run --name full -- sh -c 'seq 1000; exit 3' >/dev/full 2>"$stderr" || code=$?
[ "$code" -eq 3 ] || fail "exit code $code, not the 3 of the command"

mkfifo go on
expect_code 0 "$HOLDFAST" run --detach --name e --log-max 4096 --on-end 'read -r _ <go; seq 3000; exit 9' -- echo first
wait_for_end e
"$HOLDFAST" run --detach --name e -- sh -c 'echo begin; read -r _ <on; echo end' >"$stdout" 2>"$stderr" &
echo >go
wait "$!" || fail "the second run did not wait: $(cat "$stderr")"
echo >on
wait_for_end e
[ "$(cat "$HOLDFAST_HOME/sessions/e/out.log")" = "$(printf 'begin\nend')" ] || fail 'the log of the second run is not its own'
until [ "$("$HOLDFAST" journal count --type session.on_end_failed)" -eq 1 ]; do sleep 0.1; done
