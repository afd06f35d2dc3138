#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without a journal `block` and `ledger` do their work and say that it is not on
# record; with one, a refused append is on record.
. "$(dirname -- "$0")/../lib/write.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

printf 'text\n' >f
printf 'inside\n' >from
printf not_a_home >../file
# without CODE GROUP COMMAND FILE OPTIONS
without() {
  # shellcheck disable=SC2086 # several words on purpose
  expect_code "$1" env HOLDFAST_HOME="$scratch/file" "$HOLDFAST" "$2" "$3" "$4" --json $5
  expect_stderr_contains 'not on record'
}
without 0 block put f '--id x --style hash --from from'
grep -q inside f || fail 'the block is not there'
without 0 block remove f '--id x --style hash'
expect_file f 'text
'
without 0 ledger append l.json '-d {"a":1}'
grep -q '"a"' l.json || fail 'the entry is not there'
printf '[{"cut' >damaged.json
without 65 ledger append damaged.json '-d {"a":1}'
expect_code 65 "$HOLDFAST" ledger append damaged.json -d '{"a":1}'
[ "$("$HOLDFAST" journal count --type file.refused)" -eq 1 ] || fail 'the refusal is not on record'
expect_file damaged.json '[{"cut'
