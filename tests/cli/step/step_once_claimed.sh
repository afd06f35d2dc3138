#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A claim is held by the run, not by who started it: whoever comes meanwhile gets 75 and is told by whom; when the front
# end is killed, the run goes on, is counted, and is not repeated.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

make_gate
"$HOLDFAST" once k -- ./gated 2>/dev/null &
front=$!
wait_up
expect_code 75 "$HOLDFAST" once k --json -- touch second
expect_json .decision wait
expect_json .error.cause step-claimed
expect_json .claimed_by "$(cat boss)"
expect_code 0 "$HOLDFAST" step show --kind once k --json
expect_json .state claimed
expect_json .claimed.pid "$(cat boss)"
expect_code 75 "$HOLDFAST" step forget --kind once k
expect_code 0 "$HOLDFAST" ps --json
expect_json '.sessions[0].name' once:k

kill -s KILL "$front"
wait "$front" || :
expect_code 75 "$HOLDFAST" once k -- touch second
open_gate 0
"$HOLDFAST" wait once:k >/dev/null
expect_code 0 "$HOLDFAST" once k --json -- touch second
expect_json .decision skipped
[ ! -e second ] || fail 'it ran beside a live claimant'
expect_runs 1
