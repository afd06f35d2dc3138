#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `repair` keeps the damaged bytes in a copy and every whole entry in the ledger; it removes no copy, and leaves
# alone what is whole or is no ledger.
. "$(dirname -- "$0")/../../lib/lib.sh"

printf '[\n  {"n": 1},\n  {"n": 2},\n  {"n":' >h.json
chmod 640 h.json
cp h.json damaged
expect_code 0 "$HOLDFAST" ledger repair h.json --json
expect_json .changed true
expect_json .kept 2
expect_json .lost_bytes 5
copy=$(json_field .copy)
case $copy in h.json.corrupt-20*Z) ;; *) fail "the copy is called $copy" ;; esac
cmp -s damaged "$copy" || fail 'the copy has other bytes'
[ "$(stat -c %a "$copy" h.json | sort -u)" = 640 ] || fail 'another mode'
[ "$(cat h.json)" = "$(printf '[\n  {"n": 1},\n  {"n": 2}\n]')" ] || fail 'other entries'
expect_code 0 "$HOLDFAST" ledger append h.json --data '{"n":3}'
jq -e 'length == 3' <h.json >/dev/null || fail 'not appended'
cp h.json before
expect_code 0 "$HOLDFAST" ledger repair h.json --json
expect_json .changed false
expect_json .copy null
cmp -s before h.json || fail 'a whole ledger was changed'

printf '{"n":1}\nrubbish\n{"n":3}\n{"n":' >h.jsonl
expect_code 0 "$HOLDFAST" ledger repair h.jsonl
expect_stdout_contains 'kept 2 entries, lost 12 bytes'
[ "$(jq -c .n <h.jsonl | tr '\n' ' ')" = '1 3 ' ] || fail 'not every good line'

printf '{\n"theme": "dark"\n}\n' >settings.json
expect_code 65 "$HOLDFAST" ledger repair settings.json
[ "$(ls settings.json*)" = settings.json ] || fail 'a copy was made'

for n in 2 3 4 5; do
  echo "[$n" >h.json
  expect_code 0 "$HOLDFAST" ledger repair h.json
done
echo '[6' >h.json
expect_code 77 "$HOLDFAST" ledger repair h.json --json
expect_json .error.cause too-many-copies
[ "$(cat h.json)" = '[6' ] || fail 'it was changed'
[ "$(find . -name 'h.json.corrupt-*' | wc -l)" -eq 5 ] || fail 'not five copies'
