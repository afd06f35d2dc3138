#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command is run K times, each a run of the session with its true end on record; the goal ends it early. All used up is
# the last one's own code, or 76 where there was a goal that is not reached.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --name plain --iterations 3 --json -- \
  sh -c 'echo "$HOLDFAST_ITERATION/$HOLDFAST_ITERATIONS" >>seen; exec >&2; echo "says $HOLDFAST_ITERATION"'
[ "$(paste -sd' ' seen)" = '1/3 2/3 3/3' ] || fail "seen: $(cat seen)"
expect_json .reason iterations
expect_json '[.iterations, .done, .errors, .idle] | join(" ")' '3 3 0 0'
expect_json '[.history[] | "\(.n) \(.state) \(.exit_code) \(.signal) \(.idle)"] | join(",")' \
  '1 exited 0 null null,2 exited 0 null null,3 exited 0 null null'
expect_json '[.name, .state, .exit_code] | join(" ")' 'plain exited 0'
[ "$(stat -c %a "$HOLDFAST_HOME/sessions/plain/series.json")" = 600 ] || fail 'others can read it'
# Each has its own record and log.
expect_code 0 "$HOLDFAST" show plain --json
expect_json .number 3
grep -q 'says 1' "$HOLDFAST_HOME/sessions/plain/runs/1/out.log" || fail 'the log of the first is not kept'
grep -q 'says 3' "$HOLDFAST_HOME/sessions/plain/out.log" || fail 'the log of the last is not there'

expect_json '[.series.done, .series.over] | join(" ")' '3 iterations'

# A finished one begins anew.
expect_code 0 "$HOLDFAST" run --name plain --iterations 1 --json -- sh -c 'echo again >>seen'
expect_json '[.done, (.history | length)] | join(" ")' '1 1'

# The goal is asked before the first and after each.
expect_code 0 "$HOLDFAST" run --name goal --iterations 9 --until 'test -e two' --json -- \
  sh -c 'if [ -e one ]; then touch two; fi; touch one'
expect_json '[.reason, .done] | join(" ")' 'reached 2'
expect_code 0 "$HOLDFAST" run --name goal --iterations 9 --until 'test -e two' --json -- touch never
expect_json '[.reason, .done, .state] | join(" ")' 'reached 0 '
[ ! -e never ] || fail 'a reached goal needs no iteration'

# All used up, and no goal: neither 0 nor 1.
expect_code 76 "$HOLDFAST" run --name far --iterations 2 --until false --json -- true
expect_json '[.reason, .done] | join(" ")' 'iterations 2'

# One that crashes is seen, and is no success; what follows it is counted as what it is.
expect_code 0 "$HOLDFAST" run --name crash --iterations 3 --json -- \
  sh -c 'case $HOLDFAST_ITERATION in 1) kill -s SEGV $$ ;; 2) exit 7 ;; esac'
expect_json '[.history[] | "\(.state) \(.exit_code) \(.signal)"] | join(",")' 'killed null 11,exited 7 null,exited 0 null'
expect_json .errors 0
expect_stderr_contains 'iteration 1: killed by SEGV'
expect_series crash '[.done, .unknown // 0] | join(" ")' '3 0'

# Failures are not hidden by there being few of them: the code is the last one's.
expect_code 1 "$HOLDFAST" run --name ff --iterations 2 --json -- false
expect_json '[.ok, .reason, .errors] | map(tostring) | join(" ")' 'false iterations 2'
expect_code 75 "$HOLDFAST" run --name few --iterations 1 --status-fd 3 -- sh -c 'exit 75' 3>status
[ "$(jq -r '"\(.by) \(.code) \(.reason)"' status)" = 'command 75 iterations' ] || fail "$(cat status)"
expect_code 127 "$HOLDFAST" run --name few --iterations 5 --max-errors 9 -- no-such-command
expect_code 4 "$HOLDFAST" run --name flat --iterations 9 --max-idle 1 --progress 'echo same' --json -- sh -c 'exit 4'
expect_json .reason plateau

# The status line comes once.
"$HOLDFAST" run --name once --iterations 2 --status-fd 3 -- true 3>status 2>/dev/null || fail 'status'
[ "$(wc -l <status)" -eq 1 ] || fail 'more than one status'
[ "$(jq -r '"\(.by) \(.code) \(.reason)"' status)" = 'holdfast 0 iterations' ] || fail "$(cat status)"
