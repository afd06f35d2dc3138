#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The deadline is kept while the front end is stopped or after it was killed.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for signal in STOP KILL; do
  rm -f life
  mkfifo life
  : >out
  "$HOLDFAST" run --timeout 1 --grace 0.2 -- "$HF_TEST_CHILD" stay daemon ignore-term >out 2>"$stderr" 9>life &
  front=$!
  timeout 30 cat life >/dev/null &
  witness=$!
  wait_for_line out ready
  kill -s "$signal" "$front"
  # Stopped, the front end itself still holds the FIFO: only the processes of the command must be gone.
  [ "$signal" = KILL ] || { wait_for_end=$(sed -n 's/^ready //p' out); for pid in $wait_for_end; do
    timeout 20 tail --pid="$pid" -f /dev/null || fail "process $pid outlived the deadline"
  done; kill -s CONT "$front"; }
  code=0
  wait "$front" || code=$?
  [ "$signal" = KILL ] || [ "$code" -eq 124 ] || fail "code $code, not 124"
  wait "$witness" || fail 'a process of the tree is still alive'
done
