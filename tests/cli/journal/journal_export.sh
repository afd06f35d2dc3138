#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Exports are whole files that never replace another; CSV is quoted.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.one '{"text":"a,b \"c\"","n":1}'
append x.two '{}'
expect_code 0 "$HOLDFAST" journal export --format csv --type 'x.*'
[ "$(head -n 1 "$stdout")" = 'seq,time,type,class,writer,boot,data' ] || fail 'no header'
grep -q '^2,.*,x.one,event,[0-9.]*,[0-9a-f]*,"{""text"":""a,b \\""c\\"""",""n"":1}"$' "$stdout" || fail 'not quoted'

expect_code 0 "$HOLDFAST" journal export --format jsonl --output all.jsonl --json
expect_json '.records, .output' "$(printf '3\nall.jsonl')"
"$HOLDFAST" journal query --json | cmp - all.jsonl || fail 'not the lines of query'
[ "$(stat -c %a all.jsonl)" = 600 ] || fail 'the file is not private'
expect_code 77 "$HOLDFAST" journal export --format csv --output all.jsonl
expect_stderr_contains 'never replaced'
"$HOLDFAST" journal query --json | cmp - all.jsonl || fail 'the file was touched'

expect_code 64 "$HOLDFAST" journal export
expect_code 64 "$HOLDFAST" journal export --format csv --json
expect_code 64 "$HOLDFAST" journal export --format sqlite
