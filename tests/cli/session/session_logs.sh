#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `logs` prints both parts byte for byte; `--tail`, `--run`, `--json`; a log that is a link is refused.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers
umask 077

sleeper
put_session x exited "$sleeper" '.exit_code = 0 | .number = 2'
dir=$(session_dir x)
expect_code 66 "$HOLDFAST" logs x
expect_stderr_contains 'none'
printf 'one\ntw' >"$dir/out.log.1"
printf 'o\nthree\n\377\000end' >"$dir/out.log"
cat "$dir/out.log.1" "$dir/out.log" >"$scratch/expected"
expect_code 0 "$HOLDFAST" logs x
cmp "$stdout" "$scratch/expected" || fail 'not byte for byte'
expect_code 0 "$HOLDFAST" logs x -f
cmp "$stdout" "$scratch/expected" || fail '-f: not byte for byte'
expect_code 0 "$HOLDFAST" logs x --tail 3
printf 'two\nthree\n\377\000end' | cmp - "$stdout" || fail '--tail'
expect_code 0 "$HOLDFAST" logs x --json
[ "$(jq -r .line "$stdout" | head -n 2 | tail -n 1)" = two ] || fail '--json'
"$HOLDFAST" logs x 2>"$stderr" | head -n 1 >"$stdout"
expect_stdout_is one
expect_no_stderr

mkdir -p "$dir/runs/1"
chmod 700 "$dir/runs" "$dir/runs/1"
jq -c '.number = 1 | del(.crc32c)' "$dir/session.json" >"$dir/runs/1/session.json"
echo first >"$dir/runs/1/out.log"
expect_code 0 "$HOLDFAST" logs x --run 1
expect_stdout_is first
expect_code 0 "$HOLDFAST" show x --run 1 --json
expect_json .number 1
expect_json .log "$dir/runs/1/out.log"
expect_code 66 "$HOLDFAST" logs x --run 9

mv "$dir/out.log" "$scratch/elsewhere"
ln -s "$scratch/elsewhere" "$dir/out.log"
expect_code 77 "$HOLDFAST" logs x
expect_no_stdout
