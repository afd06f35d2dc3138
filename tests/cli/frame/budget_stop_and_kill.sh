#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --budget: `kill` comes to KILL while there is time to see what came of it, whatever the grace; `stop` asks, and says
# after its budget that it has not seen the end yet.
. "$(dirname -- "$0")/../../lib/budget.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# up FILE: until somebody has written it.
up() {
  tries=0
  until [ -s "$1" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail "nobody wrote $1"
    sleep 0.05
  done
}

sh -c 'trap "" TERM; echo up >one; while :; do sleep 1; done' &
stubborn=$!
trap 'kill -KILL "$stubborn" 2>/dev/null || :; remove_scratch' EXIT
up one
id=$("$HOLDFAST" identify "$stubborn")
begin
expect_code 0 "$HOLDFAST" kill "$id" --grace 60s --budget 1s --json
took_at_most 4000
expect_json .outcome killed

"$HOLDFAST" run --detach --name s --grace 60s -- sh -c 'trap "" TERM; echo up >two; while :; do sleep 1; done'
up two
begin
expect_code 69 "$HOLDFAST" stop s --budget 500ms --json
took_at_most 4000
expect_json .outcome unproven
expect_code 0 "$HOLDFAST" stop s --grace 0
