#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A script that acquires and releases again and again leaves no keeper behind while it lives.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

for _ in 1 2 3 4 5 6 7 8; do
  expect_code 0 "$HOLDFAST" acquire x -n
  read -r token <"$stdout"
  expect_code 0 "$HOLDFAST" release x --token "$token"
done
for keeper in $(keepers); do wait_gone "$keeper"; done
[ "$("$HOLDFAST" journal count --type lock.acquired)" -eq 8 ] || fail 'not every grant is on record'
