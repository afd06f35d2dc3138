#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doctor looks and changes nothing unasked; import ledger plans first, brings every row, and leaves its source alone.
. "$(dirname -- "$0")/../cli/lib.sh"
. "$(dirname -- "$0")/windows.inc"

# The scratch directory lies below one that others may write to, which is a finding here: 66, and not about the home.
home_verdict() {
  code=0
  "$HOLDFAST" --json doctor "$@" >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -eq 0 ] || [ "$code" -eq 66 ] || fail "doctor answered $code"
  json_field '.findings[] | select(.check == "home") | .verdict'
}
[ "$(home_verdict)" = note ] || fail 'a home that is not there yet is a note'
[ ! -e "$HOLDFAST_HOME" ] || fail 'doctor made a home without being asked'
[ "$(home_verdict --init)" = good ] || fail 'the new home is not good'
[ -d "$HOLDFAST_HOME" ] || fail 'doctor --init made no home'
expect_code 66 "$HOLDFAST" doctor no-such-directory

now=$(date +%s)
jq -n --argjson now "$now" '[range(50) | {signal: "s\(. % 7)", timestamp: ($now - 50 + .)}]' >old.json
sum=$(sha256sum <old.json)
expect_code 0 "$HOLDFAST" import ledger old.json --to new.json --time-field timestamp --json
expect_json '.records[0].verdict' importable
[ ! -e new.json ] || fail 'a plan has written'
expect_code 0 "$HOLDFAST" import ledger old.json --to new.json --time-field timestamp --apply --json
expect_json '.records[0].verdict' imported
[ "$(jq -S . old.json)" = "$(jq -S . new.json)" ] || fail 'the rows differ'
expect_code 0 "$HOLDFAST" import ledger old.json --to new.json --time-field timestamp --apply --json
expect_json '.records[0].verdict' already
echo '[{"a":1}]' >taken.json
expect_code 77 "$HOLDFAST" import ledger old.json --to taken.json --apply --json
expect_json '.records[0].reason' target-differs
[ "$(cat taken.json)" = '[{"a":1}]' ] || fail 'overwritten'
head -c 900 old.json >torn.json
expect_code 65 "$HOLDFAST" import ledger torn.json --to bad.json --apply --json
[ ! -e bad.json ] || fail 'something that cannot be read became a ledger'
[ "$(sha256sum <old.json)" = "$sum" ] || fail 'the source was changed'
