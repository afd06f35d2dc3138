#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A deadline is kept while a stopped process holds the lock of the journal, and while the journal cannot be written: it was
# promised at the start.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --name first -- true
mkfifo up tree
# ended NAME: at its deadline; whoever is left of the tree has the FIFO open.
ended() {
  # shellcheck disable=SC2016
  "$HOLDFAST" run --name "$1" --timeout 300ms --grace 100ms -- \
    sh -c 'exec 5>tree; setsid sh -c "trap \"\" TERM; while :; do sleep 600; done" & sleep 600' 2>"$stderr" &
  timeout -s KILL 20 cat tree || fail 'the deadline was not kept'
  code=0
  wait "$!" || code=$?
  [ "$code" -eq 124 ] || fail "exit code $code, not 124"
  expect_record "$1" .state timed_out
}
sh -c 'exec 9<"$HOLDFAST_HOME/journal"; flock 9; echo >up; exec sleep 600' &
holder=$!
trap 'kill -s KILL "$holder" 2>/dev/null || :; remove_scratch' EXIT
read -r _ <up
kill -s STOP "$holder"
ended held
kill -s KILL "$holder"
wait "$holder" || :
# The next writer merges what waited beside the journal.
expect_code 0 "$HOLDFAST" run --name second -- true
[ "$("$HOLDFAST" journal query --type session.ended --json | grep -c '"name":"held"')" -eq 1 ] || fail 'its end is not on record'
mv "$HOLDFAST_HOME/journal" aside
: >"$HOLDFAST_HOME/journal"
ended unwritable
