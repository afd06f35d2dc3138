#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A signal that is sent to holdfast reaches the command, and holdfast waits for what it does.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for name in TERM HUP INT QUIT USR2; do
  : >out
  "$HOLDFAST" run -- "$HF_TEST_CHILD" report-signals >out 2>"$stderr" &
  front=$!
  wait_for_line out ready
  kill -s "$name" "$front"
  wait_for_line out "got $name"
  kill -s USR1 "$front"
  wait "$front" || fail "holdfast did not survive $name"
  [ "$(grep -c '^got' out)" -eq 1 ] || fail "not exactly one signal: $(cat out)"
done
