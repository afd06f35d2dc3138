#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import ledger: every row in its order with its time, the source untouched; damage is never taken for empty.
. "$(dirname -- "$0")/lib.sh"

now=$(date +%s)
jq -n --argjson now "$now" '[range(200) | {signal_hash: "s\(. % 7)", user_response: "declined", timestamp: ($now - 200 + .)}]' >old.json
sum=$(sha256sum <old.json)

expect_code 0 "$HOLDFAST" import ledger old.json --to new.json --time-field timestamp --json
expect_json '.records[0] | [.verdict, .rows, .detail] | join(" ")' 'importable 200 '
[ ! -e new.json ] || fail 'a plan has written'
expect_code 0 "$HOLDFAST" import ledger old.json --to new.json --time-field timestamp --apply --json
expect_json '.records[0].verdict' imported
[ "$(jq -S . old.json)" = "$(jq -S . new.json)" ] || fail 'the rows differ'
[ "$(stat -c %a new.json)" = 600 ] || fail "mode $(stat -c %a new.json)"
expect_code 0 "$HOLDFAST" ledger last new.json --where signal_hash=s3 --time-field timestamp --within 24h
expect_code 0 "$HOLDFAST" ledger append new.json -d "{\"signal_hash\":\"new\",\"timestamp\":$now}" --time-field timestamp --keep-time
expect_code 0 "$HOLDFAST" import ledger old.json --to new.json --time-field timestamp --apply --json
expect_json '.records[0].verdict' already
expect_code 0 "$HOLDFAST" ledger check new.json
[ "$(jq length new.json)" -eq 201 ] || fail 'what came later is gone'
[ "$(sha256sum <old.json)" = "$sum" ] || fail 'the source was changed'

# Something else stands in its place; the times are told where they cannot be used.
echo '[{"a":1}]' >taken.json
expect_code 77 "$HOLDFAST" import ledger old.json --to taken.json --apply --json
expect_json '.records[0].reason' target-differs
[ "$(cat taken.json)" = '[{"a":1}]' ] || fail 'overwritten'
expect_code 0 "$HOLDFAST" import ledger old.json --to other.json
expect_stdout_contains '200 of 200 rows have no time'

# Damage, links, nothing.
head -c 3000 old.json >torn.json
: >empty.json
for bad in torn empty; do
  expect_code 65 "$HOLDFAST" import ledger "$bad.json" --to bad.json --apply --json
  expect_json '.records[0].verdict' corrupt
done
ln -s old.json link.json
expect_code 77 "$HOLDFAST" import ledger link.json --to bad.json --apply
[ ! -e bad.json ] || fail 'something that cannot be read became a ledger'
expect_code 66 "$HOLDFAST" import ledger not-there.json --to bad.json
expect_code 64 "$HOLDFAST" import ledger old.json
