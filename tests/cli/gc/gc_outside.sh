#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory outside of the home goes to the trash beside it, if it is still the one of the record, and comes back.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

ended out --dir "$PWD/out"
echo work >out/file
ended swapped --dir "$PWD/swapped"
mv swapped aside
mkdir swapped
echo precious >swapped/file
ended linked --dir "$PWD/linked"
mv linked aside2
ln -s "$PWD/swapped" linked

expect_code 0 gc --json
expect_reason removed out ended
expect_reason failed swapped replaced
expect_reason failed linked replaced
[ ! -e out ] || fail 'it is still there'
[ "$(cat .holdfast-trash/out.*/file)" = work ] || fail 'it is not in the trash beside it'
[ "$(stat -c %a .holdfast-trash)" = 700 ] || fail 'the trash is not private'
[ "$(cat swapped/file)" = precious ] || fail 'what was put in its place went'

expect_code 0 "$HOLDFAST" trash restore out --json
[ "$(cat out/file)" = work ] || fail 'it did not come back'
expect_code 0 gc --json
expect_reason kept out no-authority
"$HOLDFAST" workspace end out >/dev/null
expect_code 0 gc --trash-for 0
{ [ ! -e out ] && [ -z "$(ls -A .holdfast-trash)" ]; } || fail 'it was not purged'

# A forged record leads nowhere: neither gc nor a purge nor a restore touches what it names.
mkdir precious
echo precious >precious/file
forge() { # FILE: it says that its directory is precious/
  jq -c --arg dir "$PWD/precious" --argjson dev "$(stat -c %d precious)" --argjson ino "$(stat -c %i precious)" \
    '.directory = $dir | .device = $dev | .inode = $ino' "$1" >"$scratch/forged"
  cat "$scratch/forged" >"$1"
}
ended agent
forge "$sessions/agent/harness.json"
expect_code 0 gc --json
expect_reason failed agent not-confirmed
ended later
expect_code 0 gc
forge "$(echo "$sessions"/.holdfast-trash/later.*/harness.json)"
expect_code 77 "$HOLDFAST" trash restore later --json
expect_json .error.cause not-confirmed
expect_code 71 "$HOLDFAST" trash purge later
expect_stderr_contains not-confirmed
[ "$(cat precious/file)" = precious ] || fail 'the forged record was believed'

# A parent that is away for a moment is not a directory that is gone.
mkdir disk
ended v1 --dir "$PWD/disk/v1"
ended v2 --dir "$PWD/disk/v2"
mv disk/v1 v1.away
mv disk away
expect_code 0 gc --json
expect_reason failed v1 parent-gone
expect_reason failed v2 parent-gone
mv away disk
mv v1.away disk/v1
expect_code 0 gc
mv disk away
expect_code 71 "$HOLDFAST" trash purge v1
expect_stderr_contains parent-gone
expect_code 66 "$HOLDFAST" trash restore v2
mv away disk
expect_code 0 "$HOLDFAST" trash purge v1
expect_code 0 "$HOLDFAST" trash restore v2
[ -d disk/v2 ] || fail 'it did not come back'
[ -z "$(ls -A disk/.holdfast-trash)" ] || fail 'it was not purged'
