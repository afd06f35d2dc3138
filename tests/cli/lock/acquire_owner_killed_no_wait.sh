#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A dead owner is in nobody's way, not even of who does not wait: its keeper may not have seen the end yet. Here it never
# does, because it is stopped.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

: >f
for which in x '--file f'; do
  # shellcheck disable=SC2086
  owner $which
  keeper=$(keepers)
  # shellcheck disable=SC2086
  expect_code 75 "$HOLDFAST" acquire $which -n
  kill -s STOP "$keeper"
  end_owner KILL
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" acquire $which -n --json
  expect_json .owner.pid $$
  new=$(jq -r .token "$stdout")
  # shellcheck disable=SC2086
  expect_code 77 "$HOLDFAST" check $which --token "$token"
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" release $which --token "$new"
  kill -s CONT "$keeper" 2>/dev/null || :
  wait_gone "$keeper"
done
