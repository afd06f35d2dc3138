#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A damaged ledger is 65 for everybody who asks, with the place; it is never taken for empty, and keeps its bytes.
. "$(dirname -- "$0")/../../lib/lib.sh"

try() { # CAUSE NAME: what is in `damaged`
  for words in append last check; do
    cp damaged "$2"
    expect_code 65 "$HOLDFAST" ledger "$words" "$2" --json <<END
{"n":9}
END
    expect_json .error.cause "$1"
    cmp -s damaged "$2" || fail "$words changed it"
    [ "$(find . -type f | wc -l)" -eq 2 ] || fail "$words left something behind"
  done
  rm "$2"
}
: >damaged
try empty-file h.json
printf '[{"n":1},{"n":' >damaged
try cut-off h.json
try cut-off h.jsonl
printf '[{"n":1}]]' >damaged
try not-json h.json
printf '[{"n":1},7]' >damaged
try entry-not-object h.json
printf '[{"n":1}]\0\0' >damaged
try nul-bytes h.json
printf '{\n  "theme": "dark"\n}\n' >damaged
try not-a-ledger settings.json
printf '{"theme":"dark"}\n' >damaged
try not-a-ledger settings.json
printf '{"n":1}\n{"n":2}\n{"n":' >damaged
try torn-tail h.jsonl
printf '{"n":1}\n{"n":\n{"n":3}\n' >damaged
try not-json h.jsonl

cp damaged h.jsonl
expect_code 65 "$HOLDFAST" ledger append h.jsonl --data '{}'
expect_stderr_contains 'line 2, entry 2'
expect_stderr_contains 'ledger repair'
expect_code 65 "$HOLDFAST" ledger check h.jsonl
expect_stdout_contains 'h.jsonl:2: entry 2: not-json'
expect_code 0 "$HOLDFAST" journal count --type file.refused --by data.reason
expect_stdout_contains not-a-ledger
