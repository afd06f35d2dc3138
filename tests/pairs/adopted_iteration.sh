#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An iteration whose supervisor was killed, and that was adopted, is counted once, with its true end.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/series.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

make_gate
drive() { "$HOLDFAST" run --name s --iterations 3 --json -- ./gated >"$stdout" 2>"$stderr"; }
drive &
wait_up
kill -s KILL "$(cat boss)"
wait "$!" && fail 'the end of an orphan passed for known'
"$HOLDFAST" wait s --until orphaned >/dev/null || fail 'no orphan'
"$HOLDFAST" adopt s >/dev/null 2>&1 || skip 'nobody can adopt it here'
if [ "$(record s .containment)" != cgroup ]; then
  open_gate 7
  skip 'no control groups here: nobody can tell that the tree of an adopted run has ended'
fi
expect_code 75 drive
expect_json .error.cause series-under-way
open_gate 7
"$HOLDFAST" wait s >/dev/null 2>&1 || :
adopted=$(record s .state)
drive &
driver=$!
wait_up
open_gate 0
wait_up
open_gate 0
wait "$driver" || fail 'it did not go on'
expect_ran 1 2 3
case $adopted in
  exited) first='1 exited 7' ;;
  *) first='1 lost null' ;; # a kernel that does not say how it ended
esac
expect_json '[.done, (.history | map("\(.n) \(.state) \(.exit_code)") | join(","))] | join(" ")' "3 $first,2 exited 0,3 exited 0"
