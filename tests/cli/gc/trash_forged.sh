#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Nothing of a session in the trash is touched by a record that has its id, or by a note that cannot be read.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir out
ended web --dir "$PWD/out/web"
echo precious >out/web/f
expect_code 0 gc --trash-for 720h --json
expect_reason removed web ended
trashed=$(find "$sessions/.holdfast-trash" -name harness.json)
ended web
jq -c --slurpfile old "$trashed" '.id = $old[0].id | .directory = $old[0].directory | .device = $old[0].device | .inode = $old[0].inode' \
  <"$sessions/web/harness.json" >forged
cat forged >"$sessions/web/harness.json"
for keep in 0 1s; do
  expect_code 0 gc --trash-for "$keep" --json
  expect_reason failed web trash-name-taken
  grep -q '"keep_ms":2592000000' "$sessions"/.holdfast-trash/web.*.note.json || fail 'its note was replaced'
  [ ! -e out/web ] || fail 'what is in the trash was brought back'
done
rm -r "$sessions/web"
expect_code 0 "$HOLDFAST" trash restore web
[ "$(cat out/web/f)" = precious ] || fail 'it could not be brought back'

# A note of a newer version, or none that can be read: its time is not known, so it never comes.
ended old
expect_code 0 gc --trash-for 10m --json
for note in "$sessions"/.holdfast-trash/old.*.note.json; do sed -i 's/"v":1/"v":2/' "$note"; done
expect_code 0 gc --json
[ "$(find "$sessions/.holdfast-trash" -name 'old.*' -type d | wc -l)" = 1 ] || fail 'it was purged'
expect_stderr_contains newer-note
