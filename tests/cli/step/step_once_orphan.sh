#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The supervisor is killed and the command lives: nobody begins beside it, and `stop` or `adopt` is what helps.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

make_gate
# orphan KIND KEY
orphan() {
  "$HOLDFAST" "$@" -- ./gated 2>/dev/null &
  wait_up
  kill -s KILL "$(cat boss)"
  wait $! || :
  "$HOLDFAST" wait "$1:$2" --until orphaned >/dev/null || fail 'no orphan'
}
orphan once k
expect_code 75 "$HOLDFAST" once k --json -- touch second
expect_json .error.cause step-orphaned
expect_json '.error.detail | contains("holdfast stop")' true
# What needs a person is not skipped in silence.
expect_code 75 "$HOLDFAST" once k --if-busy skip -- touch second
expect_code 75 "$HOLDFAST" step forget --kind once k
expect_code 0 "$HOLDFAST" step show --kind once k --json
expect_json .state orphaned
"$HOLDFAST" stop once:k --grace 0 >/dev/null 2>&1 || skip 'without a control group nobody can prove its end'
expect_code 0 "$HOLDFAST" step show --kind once k --json
[ "$(json_field .state)" != claimed ] || fail 'it is claimed by nobody'
expect_code 0 "$HOLDFAST" once k -- sh -c 'echo ran >>ran'
expect_runs 2

# An adopted one is counted as what it came to.
orphan once t
"$HOLDFAST" adopt once:t >/dev/null 2>&1 || skip 'nobody can adopt it here'
expect_code 0 "$HOLDFAST" once t --json --if-busy skip -- touch second
expect_json .decision skipped
[ "$(json_field .claimed_by)" -ne "$(cat boss)" ] || fail 'a dead process is said to have it'
open_gate 0
"$HOLDFAST" wait once:t >/dev/null 2>&1 || :
expect_code 0 "$HOLDFAST" once t -- true
expect_code 0 "$HOLDFAST" step show --kind once t --json
expect_json .runs 1
[ ! -e second ] || fail 'it ran beside a live one'
