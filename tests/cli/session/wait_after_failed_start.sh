#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session that never started: wait exits with the code of run, whatever kept it from starting.
. "$(dirname -- "$0")/../../lib/lib.sh"

both() {
  code=$1 name=$2
  shift 2
  expect_code "$code" "$HOLDFAST" run --name "$name" "$@"
  expect_code "$code" "$HOLDFAST" wait "$name"
  expect_code 0 "$HOLDFAST" show "$name" --json
  expect_json .state failed
}

expect_code 0 "$HOLDFAST" acquire held --owner none --ttl 1m
both 75 a --lock held --wait 0s -- true
expect_json .reason busy
both 127 b -- ./nothing-here
both 126 c -- /
ln -s elsewhere "$HOLDFAST_HOME/locks/linked.lock"
both 77 d --lock linked -- true
expect_json .reason refused

# Stopped before it had begun.
"$HOLDFAST" run --name e --lock held --wait 1m -- true >/dev/null 2>&1 &
runner=$!
tries=0
until "$HOLDFAST" wait e --until reserved --timeout 30s 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || fail 'it is never reserved'
  sleep 0.05
done
expect_code 0 "$HOLDFAST" stop e
code=0
wait "$runner" || code=$?
[ "$code" -eq 75 ] || fail "run: $code"
expect_code 75 "$HOLDFAST" wait e
