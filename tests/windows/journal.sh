#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The journal is written, asked, counted and proved; a byte that changed is told; eight writers lose no record.
. "$(dirname -- "$0")/../lib/lib.sh"

for n in 1 2 3; do
  expect_code 0 "$HOLDFAST" journal append --type "x.e$n" --data "{\"n\":$n}"
done
expect_code 0 "$HOLDFAST" journal query --type x.e2 --json
expect_json .data.n 2
expect_code 0 "$HOLDFAST" journal count --by type --type 'x.*' --json
expect_json .count 3
expect_code 0 "$HOLDFAST" journal verify --json
[ "$(json_field .records)" -ge 3 ] || fail 'not all of it was read'
expect_json '.damaged | length' 0
expect_code 0 "$HOLDFAST" journal anchor --to anchors
[ -s anchors ] || fail 'no anchor'

for writer in 1 2 3 4 5 6 7 8; do
  "$HOLDFAST" journal append --type x.many --data "{\"writer\":$writer}" >/dev/null 2>&1 &
  writers="${writers:-} $!"
done
for writer in $writers; do wait "$writer" || fail 'a writer failed'; done
expect_code 0 "$HOLDFAST" journal count --type x.many
expect_stdout_is 8
expect_code 0 "$HOLDFAST" journal verify --json

segment=$HOLDFAST_HOME/journal/seg-0000000000000001.jsonl
sed -i 's/{"n":2}/{"n":9}/' "$segment"
expect_code 65 "$HOLDFAST" journal verify --json
expect_json '.damaged[0].kind' checksum
expect_code 0 "$HOLDFAST" journal repair
expect_code 0 "$HOLDFAST" journal verify
expect_code 0 "$HOLDFAST" journal export --format jsonl --output all.jsonl
[ "$(grep -c '"x.many"' all.jsonl)" -eq 8 ] || fail "the export is not whole: $(wc -l <all.jsonl) lines"
