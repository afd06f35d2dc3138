#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A second driver of a series beside a live one is told that it is busy (75), and starts nothing, even if the first one
# comes to its end while the second waits; the outcome belongs to the first.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_gate
"$HOLDFAST" run --name s --iterations 1 --json -- ./gated >first 2>/dev/null &
driver=$!
wait_up
"$HOLDFAST" run --name s --iterations 1 --json -- ./gated >"$stdout" 2>"$stderr" &
second=$!
script='"$HOLDFAST" locks series:s --json 2>/dev/null | jq -e ".waiters | length == 1"'
export HOLDFAST
expect_waits() { "$HOLDFAST" until --timeout 30s --every 20ms -- sh -c "$script" 2>/dev/null || fail 'nobody waits'; }
expect_waits
open_gate 0
wait "$driver" || fail 'the first driver failed'
code=0
wait "$second" || code=$?
[ "$code" -eq 75 ] || fail "the second driver: $code, not 75"
expect_json .error.cause series-busy
expect_json ".error.detail | contains(\"process $driver\")" true
expect_ran 1
expect_series s .answered true
# Later, it begins anew.
expect_code 0 "$HOLDFAST" run --name s --iterations 1 -- true
