#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The driver of a series is killed, and more runs of its name follow than are kept: the iteration that was not counted
# yet is found all the same, with its true end.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

make_gate
"$HOLDFAST" run --name s --iterations 2 -- ./gated 2>/dev/null &
driver=$!
wait_up
kill -s KILL "$driver"
wait "$driver" 2>/dev/null || :
open_gate 7
"$HOLDFAST" wait s >/dev/null 2>&1 || :
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13; do expect_code 0 "$HOLDFAST" run --name s -- true; done
"$HOLDFAST" run --name s --iterations 2 --json -- ./gated >"$stdout" 2>"$stderr" &
driver=$!
wait_up
open_gate 0
wait "$driver" || fail 'the second driver failed'
expect_json '.history | map("\(.n) \(.state) \(.exit_code)") | join(",")' '1 exited 7,2 exited 0'
# Ten plain ones and the newest of the series; none of its older ones.
[ "$(find "$HOLDFAST_HOME/sessions/s/runs" -name session.json | wc -l)" -le 11 ] || fail 'more runs are kept than that'
