#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A series that is over and was told begins anew with the next call of the same command.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for calls in 1 2 3; do
  expect_code 0 "$HOLDFAST" run --name s --iterations 2 -- sh -c 'echo ran >>ran'
  [ "$(wc -l <ran)" -eq $((2 * calls)) ] || fail "after $calls calls it ran $(wc -l <ran) times"
  expect_series s .answered true
done
