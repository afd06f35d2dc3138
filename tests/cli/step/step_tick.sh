#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tick`: never two at a time; the one that is left out answers 75 and is in the journal; a worker that died is noted.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 6 "$HOLDFAST" tick t --no-overlap -- sh -c 'exit 6'
make_gate
"$HOLDFAST" tick t -- ./gated &
wait_up
for _ in 1 2 3; do
  expect_code 75 "$HOLDFAST" tick t --json -- touch second
  expect_json .decision skipped
done
expect_code 0 "$HOLDFAST" journal query --type tick.skipped --json
[ "$(grep -c tick.skipped "$stdout")" -eq 3 ] || fail 'not in the journal'
# Who is at work is said also to who wants to hear nothing else.
expect_code 75 "$HOLDFAST" tick -q t -- touch second
expect_stderr_contains 'has it since'
open_gate 0
wait
expect_code 0 "$HOLDFAST" tick t -- true
expect_code 0 "$HOLDFAST" step show --kind tick t --json
expect_json .runs 3
expect_json '.history | map(.exit_code) | tostring' '[6,0,0]'

# Its whole tree is killed.
"$HOLDFAST" tick t -- ./gated 2>/dev/null &
wait_up
run=$(jq -r .run "$(step_session tick t)")
kill -s KILL "$(cat boss)"
wait $! || :
for each in $(grep -laz "^HOLDFAST_RUN=$run\$" /proc/[0-9]*/environ 2>/dev/null || :); do
  pid=${each#/proc/}
  kill -s KILL "${pid%/environ}" 2>/dev/null || :
done
"$HOLDFAST" wait tick:t --until lost >/dev/null 2>&1 || :
"$HOLDFAST" show tick:t --json >"$stdout" || :
[ "$(json_field .state)" = lost ] || skip 'without a control group nobody can prove that it is over'
expect_code 0 "$HOLDFAST" tick t -- true
expect_stderr_contains 'ended is not known'
expect_code 0 "$HOLDFAST" step show --kind tick t --json
expect_json .lost 1
[ ! -e second ] || fail 'two at a time'
