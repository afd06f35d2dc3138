#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What gc removed comes back as it was, under its name or another, until it is purged.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

expect_code 0 "$HOLDFAST" trash list
expect_code 66 "$HOLDFAST" trash restore web
ended web --authority command:x/web
echo one >"$sessions/web/file"
expect_code 0 gc --probe 'true' --json
expect_reason removed web ended
ended web
echo two >"$sessions/web/file"
expect_code 0 gc
expect_code 0 "$HOLDFAST" trash list --json
expect_json '.trash | length' 2
expect_json '.trash[0].reason' ended
older=$(json_field '.trash[1].id')

# The newest of two; the other under another name, as the first has it now.
expect_code 0 "$HOLDFAST" trash restore web
expect_stdout_is "web
$sessions/web"
[ "$(cat "$sessions/web/file")" = two ] || fail 'not the newest'
[ "$(find "$sessions/.holdfast-trash" -name 'web.*.note.json' | wc -l)" = 1 ] || fail 'the note of the trash stays'
expect_code 75 "$HOLDFAST" trash restore web
expect_stderr_contains '--as'
expect_code 0 "$HOLDFAST" trash restore web --id "$(echo "$older" | cut -c1-8)" --as web-old
[ "$(cat "$sessions/web-old/file")" = one ] || fail 'not the older one'
expect_code 0 "$HOLDFAST" workspace get web-old state
expect_stdout_is ready

# It is kept until its harness ends it, whatever its old authority says.
expect_code 0 gc --probe true --json
expect_reason kept web-old no-authority
expect_reason kept web no-authority
"$HOLDFAST" workspace end web-old >/dev/null
expect_code 0 gc --json
expect_reason removed web-old ended

# A move that fails undoes the rest, and can be tried again under any name.
expect_code 0 "$HOLDFAST" run --name job -- true
ended out --dir "$PWD/out"
echo work >out/file
expect_code 0 gc --runs
chmod 500 "$sessions"
if ! touch "$sessions/.probe" 2>/dev/null; then
  for name in job out; do
    "$HOLDFAST" trash restore "$name" --as "$name-2" >/dev/null 2>&1 && fail "$name came back into a directory that is read-only"
  done
  [ ! -e out ] || fail 'the directory outside came back alone'
  chmod 700 "$sessions"
  expect_code 0 "$HOLDFAST" trash restore job
fi
chmod 700 "$sessions"
rm -f "$sessions/.probe"
expect_code 0 "$HOLDFAST" trash restore out --as out-3
[ "$(cat out/file)" = work ] || fail 'it did not come back'
"$HOLDFAST" workspace end out-3 >/dev/null
expect_code 0 gc --json
expect_reason removed out-3 ended
