#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The history is damaged, cannot be read, or has a time that cannot be believed. By hand: it counts as empty and is
# written over, and a crash is a "do not ask". With holdfast: nobody can say, it says so, and nothing is written over.
# label: system
. "$(dirname -- "$0")/escalation_ledger.inc"
whole='[{"signal_hash":"s1","user_response":"declined","timestamp":1700000000},
 {"signal_hash":"s2","user_response":"accepted","timestamp":1700000001}'

# ---- by hand
ledger_in by-hand
mkdir by-hand
printf '%s' "$whole" >"$ledger" # cut short: the last bracket is missing
expect_code 1 naive lookup s1
expect_code 0 naive record s3 accepted
[ "$(rows)" -eq 1 ] || fail 'the history is not lost'
printf '[{"signal_hash":"s1","user_response":"declined","timestamp":"yesterday"}]' >"$ledger"
expect_code 1 naive replay-safe s1 # a crash, which reads as "do not ask"
expect_stderr_contains Traceback
printf '[{"signal_hash":"s1","user_response":"declined","timestamp":99999999999}]' >"$ledger"
expect_code 1 naive replay-safe s1 # for three thousand years

# ---- with holdfast
ledger_in held
mkdir -m 700 held
printf '%s' "$whole" >"$ledger"
cp "$ledger" before
for _ in 1 2; do
  expect_code 65 ours lookup s1
  expect_code 65 ours replay-safe s1
  expect_code 65 ours record s3 accepted
  expect_code 65 ours check
done
cmp "$ledger" before || fail 'a damaged ledger was changed'
expect_code 0 "$HOLDFAST" ledger repair "$ledger" # a person's word; the damaged one is kept
cmp "$LEDGER_DIR"/escalation-history.json.corrupt-* before || fail 'the damaged copy is not kept'
expect_code 0 ours lookup s1
expect_code 0 ours record s3 accepted
[ "$(rows)" -eq 3 ] || fail "$(rows) rows"
expect_code 64 ours record s3 perhaps
[ "$(rows)" -eq 3 ] || fail 'a wrong word was recorded'

# Rows of the old script are read as they are: Unix seconds. What cannot be believed proves nothing.
expect_code 0 ours replay-safe s1 # declined, but long ago
printf '[{"signal_hash":"s1","user_response":"declined","timestamp":%s}]' "$(date +%s)" >"$ledger"
expect_code 3 ours replay-safe s1
for time in '"yesterday"' 99999999999 null; do
  printf '[{"signal_hash":"s1","user_response":"declined","timestamp":%s}]' "$time" >"$ledger"
  expect_code 69 ours replay-safe s1
done
[ "$(id -u)" -ne 0 ] || exit 0
chmod 000 "$ledger"
expect_code 71 ours replay-safe s1
