#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An entry that is nested without end is damage that is named, not a crash; `repair` keeps its bytes in the copy.
. "$(dirname -- "$0")/../../lib/lib.sh"

nested() { # LEVELS
  printf '{"a":'
  awk -v n="$(($1 - 1))" 'BEGIN { while (i++ < n) printf "["; while (j++ < n) printf "]" }'
  printf '}'
}
{ printf '[{"n":1},'; nested 3000000; printf ']'; } >h.json
expect_code 65 "$HOLDFAST" ledger append h.json --data '{}' --json
expect_json .error.cause too-deep
expect_code 65 "$HOLDFAST" ledger last h.json --json
expect_json .error.cause too-deep
expect_code 65 "$HOLDFAST" ledger check h.json --json
expect_json '.findings[0].kind' too-deep
expect_json '.findings[0].entry' 2

nested 100000 >entry
expect_code 65 "$HOLDFAST" ledger append new.json --data @entry --json
expect_json .error.cause too-deep
[ ! -e new.json ] || fail 'a ledger was made of a refused entry'

{ printf '['; nested 200; printf ']'; } >deepest.json
expect_code 0 "$HOLDFAST" ledger last deepest.json --json
expect_json .found true

cp h.json damaged
expect_code 0 "$HOLDFAST" ledger repair h.json --json
expect_json .kept 1
cmp -s damaged "$(json_field .copy)" || fail 'the copy has other bytes'
expect_code 0 "$HOLDFAST" ledger last h.json
expect_stdout_is '{"n":1}'
