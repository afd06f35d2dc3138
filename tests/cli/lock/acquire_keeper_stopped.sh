#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A stopped keeper is no obstacle: its lock is released by the token, and the next grant comes at once.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

: >f
for which in x '--file f'; do
  # shellcheck disable=SC2086
  owner $which
  keeper=$(keepers)
  kill -s STOP "$keeper"
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" release $which --token "$token"
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" acquire $which -n
  read -r token <"$stdout"
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" release $which --token "$token"
  kill -s CONT "$keeper" 2>/dev/null || :
  end_owner TERM
  wait_gone "$keeper"
  [ -z "$(keepers)" ] || for left in $(keepers); do wait_gone "$left"; done
done
