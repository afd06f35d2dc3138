#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The loop is killed while the agent merges; the next one finds the agent, waits for its end, and does not start another.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file ''
issue 'It crashes'
lie '{"merge": {"how": "slow", "seconds": 2}}'
"$HOLDFAST" loop loop.toml >"$scratch/loop.out" 2>&1 &
loop=$!
until [ "$(count 'POST merge')" -ge 1 ]; do
  kill -0 "$loop" 2>/dev/null || fail "the loop ended: $(cat "$scratch/loop.out")"
  sleep 0.05
done
kill -s KILL "$loop"
wait "$loop" 2>/dev/null || :
expect_item 160 .state running

ticks 1
expect_item 160 .state 'done'
expect_item 160 .attempts 1
expect_count 'POST merge' 1
expect_count 'POST pull' 1
expect_pulls 160 merged
expect_issue 160 .state closed
