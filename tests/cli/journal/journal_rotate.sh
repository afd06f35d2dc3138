#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `rotate` seals, compresses and drops whole segments; all readers answer as before, and what was dropped is on
# record and known.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" journal rotate --json
expect_json .rotated false
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'
for n in 1 2 3 4; do
  append x.n "{\"n\":$n}"
  expect_code 0 "$HOLDFAST" journal rotate --json
  expect_json .rotated true
done
"$HOLDFAST" journal query --json >before
expect_code 0 "$HOLDFAST" journal rotate --compress --json
expect_json '.compressed | length' 3
ls "$HOLDFAST_HOME"/journal/*.zst >/dev/null || fail 'nothing is compressed'
"$HOLDFAST" journal query --json | head -n "$(wc -l <before)" | cmp - before || fail 'another answer'
expect_code 0 "$HOLDFAST" journal verify

expect_code 0 "$HOLDFAST" journal rotate --keep 1K --json
[ "$(json_field .dropped)" -gt 0 ] || fail 'nothing was dropped'
expect_code 0 "$HOLDFAST" journal verify --json
expect_json '.damaged[0] | .kind, .explained' "$(printf 'missing-segment\ntrue')"
expect_code 0 "$HOLDFAST" journal query --limit 1
expect_stderr_contains 'older events were dropped'
expect_code 0 "$HOLDFAST" journal count --type x.n --since 0
expect_no_stderr
