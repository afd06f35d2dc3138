#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was killed, and why, is in the journal: by a deadline of a run with or without a name, by `stop`, which names who
# asked, what a command left behind, and by the kernel for want of memory.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 124 "$HOLDFAST" run --timeout 100ms --grace 0s -- sleep 600
expect_code 124 "$HOLDFAST" run --name late --timeout 100ms --grace 0s -- sleep 600
expect_code 0 "$HOLDFAST" run --detach --name s -- sleep 600
expect_code 0 "$HOLDFAST" stop s
expect_code 0 "$HOLDFAST" journal query --type process.killed --json
told=$(jq -r '"\(.data.name) \(.data.reason)"' <"$stdout")
[ "$told" = 'sleep deadline
late deadline
s stopped' ] || fail "told: $told"
case $(jq -r 'select(.data.name == "s") | .data.by' <"$stdout") in 'stop, process '*) ;; *) fail 'nobody says who asked' ;; esac

kills() { "$HOLDFAST" journal count --type process.killed --where "data.name=$1" --where "data.reason=$2"; }
expect_code 0 "$HOLDFAST" run -- sh -c 'sleep 600 & :'
[ "$(kills sh left-behind)" -eq 1 ] || fail 'what a command left behind is not in the journal'

code=0
"$HOLDFAST" run --name hog --memory 16M --on-end 'echo "$HOLDFAST_REASON" >why' -- \
  sh -c 'exec awk "BEGIN { x = \"0123456789abcdef\"; for (;;) x = x x }"' >"$stdout" 2>"$stderr" || code=$?
[ "$code" -ne 125 ] || skip 'no memory limit can be enforced here'
[ "$code" -eq 137 ] || fail "exit code $code"
expect_record hog .reason oom
[ "$(cat why)" = oom ] || fail "on-end was told: $(cat why)"
[ "$(kills hog oom)" -eq 1 ] || fail 'the kernel is not in the journal'
# Without a name, and of a child whose parent goes on and exits with 0.
expect_code 0 "$HOLDFAST" run --memory 16M -- sh -c 'awk "BEGIN { x = \"0123456789abcdef\"; for (;;) x = x x }"; exit 0'
[ "$(kills sh oom)" -eq 1 ] || fail 'the kernel is not in the journal for a run without a name'
