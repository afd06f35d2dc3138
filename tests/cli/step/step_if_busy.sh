#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --if-busy of steps: `skip` leaves out what runs now or waits for its time, with 0 and on record; `wait` waits for the
# run of another and then decides on what it left. `tick` is told what to type.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

make_gate
"$HOLDFAST" once k -- ./gated &
wait_up
expect_code 75 "$HOLDFAST" once k -- touch second
expect_code 75 "$HOLDFAST" once k --if-busy fail -- touch second
expect_code 0 "$HOLDFAST" once -q k --if-busy skip -- touch second
expect_no_stdout
expect_no_stderr
expect_code 0 "$HOLDFAST" once --json k --if-busy skip -- touch second
expect_json .decision skipped
expect_json .claimed_by "$(cat boss)"
expect_code 0 "$HOLDFAST" journal query --type step.skipped --json
[ "$(jq -r 'select(.data.evidence) | .data.reason' "$stdout" | sort -u)" = step-claimed ] || fail 'not on record'
expect_code 75 "$HOLDFAST" once k --if-busy wait --wait 100ms -- touch second

# Two wait: the step is done by the one that they wait for, and is not done again.
"$HOLDFAST" once --json k --if-busy wait --wait 60s -- touch second >first.json &
"$HOLDFAST" once --json k --if-busy wait --wait 60s -- touch second >second.json &
tries=0
until [ "$("$HOLDFAST" locks session:once:k --json | jq '.waiters | length')" -eq 2 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'they do not wait'
  sleep 0.1
done
open_gate 0
wait
[ "$(jq -s -r 'map(.decision) | unique | join(",")' first.json second.json)" = skipped ] || fail 'it was not decided anew'
expect_runs 1

# It failed: whoever waits does it.
"$HOLDFAST" once again -- ./gated &
wait_up
"$HOLDFAST" once --json again --if-busy wait --wait 60s -- touch third >third.json &
tries=0
until [ "$("$HOLDFAST" locks session:once:again --json | jq '.waiters | length')" -eq 1 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'it does not wait'
  sleep 0.1
done
open_gate 3
wait
[ "$(jq -r .decision third.json),$(ls third)" = ran,third ] || fail 'it was not done'

# Before its time: nothing is printed in a crontab.
expect_code 3 "$HOLDFAST" attempt a --max 3 --backoff 1h -- sh -c 'exit 3'
expect_code 75 "$HOLDFAST" attempt -q a --max 3 --backoff 1h -- touch second
expect_code 0 "$HOLDFAST" attempt -q a --max 3 --backoff 1h --if-busy skip -- touch second
expect_no_stderr
expect_code 0 "$HOLDFAST" attempt --json a --max 3 --backoff 1h --if-busy skip -- touch second
expect_json .decision wait

expect_code 64 "$HOLDFAST" once k --wait 1s -- true
expect_code 64 "$HOLDFAST" once k --if-busy skip --wait 1s -- true
expect_code 64 "$HOLDFAST" once k --if-busy replace -- true
for line in 'tick' 'tick sync' 'tick sync -- true' 'tick show sync' 'tick --no-overlap sync -- true'; do
  # shellcheck disable=SC2086
  expect_code 64 "$HOLDFAST" $line
  expect_stderr_contains '`holdfast run --name NAME --if-busy skip -- COMMAND`'
done
[ ! -e second ] || fail 'two at a time'
