#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Deadline and idle limit of a detached run end its whole tree with nobody waiting for it.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

for limit in timeout idle-timeout; do
  mkfifo "$limit"
  # Whoever is left of the tree has the FIFO open.
  # shellcheck disable=SC2016
  expect_code 0 "$HOLDFAST" run --detach --name "$limit" "--$limit" 400ms --grace 100ms -- \
    sh -c 'exec 5>"$0"; setsid sh -c "trap \"\" TERM; while :; do sleep 600; done" & sleep 600' "$limit"
  cat "$limit"
done
for limit in timeout idle-timeout; do
  expect_code 124 "$HOLDFAST" wait "$limit"
  expect_record "$limit" .state timed_out
done
expect_record timeout .reason deadline
expect_record idle-timeout .reason idle
