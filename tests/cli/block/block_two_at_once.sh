#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes that put different blocks into one file at once all find theirs there afterwards.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'user\n' >f
pids=
for id in 1 2 3 4 5 6 7 8; do
  (
    for round in 1 2 3 4 5; do
      echo "$id round $round" | put f --id "w$id" --wait 60s || exit 1
    done
  ) 2>>"$stderr" &
  pids="$pids $!"
done
for pid in $pids; do wait "$pid" || fail 'a put failed'; done
expect_code 0 "$HOLDFAST" block check f
for id in 1 2 3 4 5 6 7 8; do
  expect_code 0 "$HOLDFAST" block get f --id "w$id"
  expect_stdout_is "$id round 5"
  expect_code 0 "$HOLDFAST" block remove f --id "w$id" --durability none
done
expect_bytes f 'user\n'
