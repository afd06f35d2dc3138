#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The time is holdfast's; a time that is missing, unreadable or in the future is 69 for --within, never yes or no.
. "$(dirname -- "$0")/../../lib/lib.sh"

now=$(date +%s)
expect_code 64 "$HOLDFAST" ledger append h.json --data '{"time":1}' --json
expect_json .error.cause time-given
[ ! -e h.json ] || fail 'it was made'
expect_code 65 "$HOLDFAST" ledger append h.json --data '{"time":"soon"}' --keep-time --json
expect_json .error.cause bad-time
expect_code 0 "$HOLDFAST" ledger append h.json --data '{"time":"2001-01-01T01:00:00+01:00"}' --keep-time
expect_code 66 "$HOLDFAST" ledger last h.json --within 1d
expect_code 0 "$HOLDFAST" ledger append h.json --data '{"at":5}' --time-field at --keep-time

# An array of another tool: Unix seconds in `timestamp`.
printf '[{"k":"old","timestamp":%s},{"k":"new","timestamp":%s.25},{"k":"odd","timestamp":"?"},{"k":"none"}]' \
  "$((now - 90000))" "$((now - 60))" >f.json
last() { expect_code "$1" "$HOLDFAST" ledger last f.json --json --time-field timestamp --where "k=$2" --within 24h; }
last 0 new
expect_json '.age_ms >= 59000 and .age_ms < 3600000' true
last 66 old
last 69 odd
expect_json .error.cause no-time
expect_json .found null
last 69 none
expect_json .error.cause no-time
expect_code 69 "$HOLDFAST" ledger last f.json --where k=new --within 24h # there is no field `time`
expect_stderr_contains --time-field
expect_code 0 "$HOLDFAST" ledger append f.json --time-field timestamp --data '{"k":"mine"}'
last 0 mine
expect_json .number 5

# A clock that was wrong once.
printf '{"k":"a","time":%s}\n{"k":"b","time":%s}\n{"k":"b","time":%s}\n' "$((now + 9000))" "$((now - 5))" "$((now + 9000))" >h.jsonl
expect_code 69 "$HOLDFAST" ledger last h.jsonl --where k=a --within 24h --json
expect_json .error.cause future-time
expect_json .future true
expect_code 0 "$HOLDFAST" ledger last h.jsonl --where k=b --within 24h --json # an honest one decides
expect_json .number 2
expect_code 0 "$HOLDFAST" ledger last h.jsonl --where k=a
expect_stderr_contains 'in the future'
expect_code 0 "$HOLDFAST" ledger check h.jsonl --json
expect_json .future 2
expect_json '.findings[0].kind' future-time
expect_json '.findings[0].damage' false
