#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Signals that are sent to holdfast reach the command once, Ctrl-C reaches it once, and the lock is free afterwards.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for lease in '' '--ttl 30s' --wait-descendants; do
  for name in TERM HUP INT USR2; do
    : >out
    # shellcheck disable=SC2086
    "$HOLDFAST" lock x $lease -- "$HF_TEST_CHILD" report-signals >out 2>"$stderr" &
    front=$!
    wait_for_line out ready
    kill -s "$name" "$front"
    wait_for_line out "got $name"
    kill -s USR1 "$front"
    wait "$front" || fail "holdfast did not survive $name"
    [ "$(grep -c '^got' out)" -eq 1 ] || fail "not exactly one signal: $(cat out)"
  done
  # shellcheck disable=SC2086
  expect_code 0 "$HF_TEST_CHILD" pty cu -- "$HOLDFAST" lock x $lease -- "$HF_TEST_CHILD" report-signals
  [ "$(grep -c '^got INT' "$stdout")" -eq 1 ] || fail 'not exactly one INT'
  # shellcheck disable=SC2086
  expect_code 130 "$HF_TEST_CHILD" pty c -- "$HOLDFAST" lock x $lease -- "$HF_TEST_CHILD" sleep-forever
  expect_code 0 "$HOLDFAST" lock -n x -- true
done
