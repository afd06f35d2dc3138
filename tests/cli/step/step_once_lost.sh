#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Nobody saw how a run ended: `once` says so and runs it again, unless --verify can tell; what that cannot tell runs
# nothing.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

make_gate
# lose KEY: a run whose whole tree is killed, the supervisor first.
lose() {
  "$HOLDFAST" once "$1" -- ./gated 2>/dev/null &
  wait_up
  run=$(jq -r .run "$(step_session once "$1")")
  kill -s KILL "$(cat boss)"
  wait $! || :
  for file in $(grep -laz "^HOLDFAST_RUN=$run\$" /proc/[0-9]*/environ 2>/dev/null || :); do
    pid=${file#/proc/}
    kill -s KILL "${pid%/environ}" 2>/dev/null || :
  done
  "$HOLDFAST" wait "once:$1" --until lost >/dev/null 2>&1 || :
  "$HOLDFAST" show "once:$1" --json >"$stdout" || :
  [ "$(json_field .state)" = lost ] || skip 'without a control group nobody can prove that it is over'
  rm ran
}

lose plain
expect_code 0 "$HOLDFAST" step show --kind once plain --json
expect_json .state unsure
expect_json .lost 1
expect_code 3 "$HOLDFAST" once plain --json -- sh -c 'echo ran >>ran; exit 3'
expect_json .repeated true
expect_stderr_contains 'is not known'
# The failure of the second says nothing about the first.
expect_code 0 "$HOLDFAST" once plain --json -- sh -c 'echo ran >>ran'
expect_json .repeated true
expect_runs 2
expect_code 0 "$HOLDFAST" once plain --json -- touch never
expect_json .decision skipped
expect_code 0 "$HOLDFAST" journal query --type step.repeated --json
[ "$(grep -c step.repeated "$stdout")" -eq 2 ] || fail 'the repetition is not in the journal'
rm ran

lose finished
expect_code 69 "$HOLDFAST" once finished --verify 'exit 69' --json -- touch never
expect_json .error.cause step-unverified
expect_code 69 "$HOLDFAST" once finished --verify 'kill -KILL $$' -- touch never
expect_code 69 "$HOLDFAST" once finished --verify 'sleep 60' --verify-timeout 100ms -- touch never
expect_code 69 "$HOLDFAST" once finished --verify 'no-such-command-at-all' -- touch never
expect_code 0 "$HOLDFAST" once finished --verify 'echo asked >>asked' --json -- touch never
expect_json .decision skipped
expect_code 0 "$HOLDFAST" once finished --verify 'echo asked >>asked' -- touch never
[ "$(wc -l <asked)" -eq 1 ] || fail 'what is known to be done is asked again'

lose undone
expect_code 4 "$HOLDFAST" once undone --verify 'exit 1' --json -- sh -c 'echo ran >>ran; exit 4'
expect_json .repeated false
expect_runs 1
[ ! -e never ] || fail 'it ran though nobody could tell'
