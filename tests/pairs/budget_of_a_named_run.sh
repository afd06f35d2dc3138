#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--budget` ends the tree of a named run, whose record says that its time was up; it bounds the wait of `acquire`; and the
# supervisor that `adopt --budget` leaves behind has no budget.
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_gate
expect_code 124 "$HOLDFAST" run --name n --budget 3s --json -- sh -c 'sleep 600 & sleep 600'
expect_json '[.state, .survivors_total] | map(tostring) | join(" ")' 'timed_out 0'
expect_code 0 "$HOLDFAST" show n --json
expect_json .state timed_out

"$HOLDFAST" lock x -- ./gated 2>/dev/null &
holder=$!
wait_up
expect_code 75 "$HOLDFAST" acquire x --wait 1m --budget 200ms --owner $$
open_gate 0
wait "$holder" || fail 'the holder failed'

# An adopter outlives the budget of the call that made it.
"$HOLDFAST" run --name o -- ./gated 2>/dev/null &
wait_up
kill -s KILL "$(cat boss)"
wait $! || :
"$HOLDFAST" wait o --until orphaned >/dev/null || fail 'no orphan'
"$HOLDFAST" adopt o --budget 3s >/dev/null 2>&1 || skip 'nobody can adopt it here'
expect_code 75 "$HOLDFAST" wait o --timeout 3500ms
# Without a control group nobody can tell how the tree of an adopted run has ended.
ends=0
[ "$("$HOLDFAST" show o --json | jq -r .containment)" = cgroup ] || ends=69
open_gate 0
expect_code "$ends" "$HOLDFAST" wait o
