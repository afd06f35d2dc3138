#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `wait` of a series that was stopped between two iterations, or whose driver was killed, ends and cannot tell (69); of
# one whose iteration was asked to end it has that code.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo asked
# begin_pause: a series that has done one iteration, and a waiter.
begin_pause() {
  "$HOLDFAST" run --name q --fresh --iterations 2 \
    --until "[ -e began ] || exit 1; echo >asked; exec sleep 1000" -- touch began 2>/dev/null &
  driver=$!
  read -r _ <asked || :
  "$HOLDFAST" wait q --json >waited 2>/dev/null &
  waiter=$!
}
untold() {
  code=0
  wait "$waiter" || code=$?
  [ "$code" -eq 69 ] || fail "wait: $code, not 69: $(cat waited)"
  [ "$(jq -r .error.cause waited)" = series-stopped ] || fail "$(cat waited)"
  wait "$driver" && fail 'it is said to have succeeded'
  rm began
}
begin_pause
expect_code 0 "$HOLDFAST" stop q
untold
begin_pause
kill -s KILL "$driver"
untold

make_gate
"$HOLDFAST" run --name r --iterations 2 -- ./gated 2>/dev/null &
driver=$!
wait_up
"$HOLDFAST" wait r 2>/dev/null &
waiter=$!
expect_code 0 "$HOLDFAST" stop r
code=0
wait "$waiter" || code=$?
[ "$code" -eq 143 ] || fail "wait: $code, not 143"
wait "$driver" || :
