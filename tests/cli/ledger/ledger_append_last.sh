#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A new ledger is made in the format of its name; entries get their time, keep their bytes, and are found again.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" ledger append h.json --data '{"b":1.50,"a":"x"}'
jq -e '.[0].time | test("^20[0-9-]+T[0-9:]+[.][0-9]{3}Z$")' <h.json >/dev/null || fail 'no time'
grep -qF '{"b":1.50,"a":"x","time":"20' h.json || fail 'the entry was changed'
[ "$(stat -c %a h.json)" = 600 ] || fail 'not private'
echo '{"b": 2}' | "$HOLDFAST" ledger append h.json >/dev/null || fail 'not from stdin'
echo '{"b":3}' >entry
expect_code 0 "$HOLDFAST" ledger append h.json --data @entry --json
expect_json .entries 3
expect_json .entry.b 3
expect_json .format array
expect_json .changed true
expect_json .durable true
jq -e 'length == 3' <h.json >/dev/null || fail 'not three entries'

expect_code 0 "$HOLDFAST" ledger last h.json
expect_stdout_contains '{"b":3,"time":'
expect_code 0 "$HOLDFAST" ledger last h.json --where a=x --within 1h --json
expect_json .found true
expect_json .entry.b 1.5
expect_json '.raw | startswith("{\"b\":1.50,")' true
expect_json .future false
expect_json '.age_ms < 3600000' true
expect_code 66 "$HOLDFAST" ledger last h.json --where a=y
expect_no_stdout
expect_code 66 "$HOLDFAST" ledger last h.json --where a=y --json
expect_json .found false
expect_json .entry null
expect_code 66 "$HOLDFAST" ledger last absent.json
expect_code 66 "$HOLDFAST" ledger check absent.json
expect_code 66 "$HOLDFAST" ledger repair absent.json
expect_code 0 "$HOLDFAST" ledger check h.json
expect_stdout_is '3 entries, array, whole'

expect_code 0 "$HOLDFAST" ledger append h.jsonl --data '{"n":1}' --mode 0644
expect_code 0 "$HOLDFAST" ledger append h.jsonl --data '{"n":2}'
[ "$(wc -l <h.jsonl)" -eq 2 ] || fail 'not two lines'
[ "$(stat -c %a h.jsonl)" = 644 ] || fail 'not the mode that was asked for'
expect_code 0 "$HOLDFAST" journal count --type file.replaced
expect_stdout_is 5
