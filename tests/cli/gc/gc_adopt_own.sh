#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory is handed out, adopted or renewed only where it is, and stays, one session's own.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir out
new a --dir "$PWD/out/a"
mv out/a out/b
mkdir out/a
expect_code 77 "$HOLDFAST" workspace attach a -- true
expect_stderr_contains 'somebody put another one'

# Not what another home has.
mkdir other
"$HOLDFAST" --home "$PWD/other" workspace new theirs --owner none >/dev/null
expect_code 0 gc --adopt-dir other/sessions --pattern '*' --json
expect_json '.adopted | length' 0
[ -n "$(reason_of failed theirs)" ] || fail 'the session of another home was adopted'
expect_code 77 "$HOLDFAST" workspace new in --dir "$PWD/other/in"

# With --plan nothing is written; what matches nothing is said; a typo is no placeholder.
mkdir data data/job-1
expect_code 0 gc --plan --adopt-dir data --pattern 'job-*' --json
expect_json '.adopted[0]' job-1
[ ! -e "$sessions/job-1" ] || fail '--plan wrote a record'
expect_code 0 gc --adopt-dir data --pattern 'jbo-*'
expect_stderr_contains "has a name like 'jbo-*'"
expect_code 64 gc --adopt-dir data --pattern 'job-*' --authority 'podman:{title}'

# One that was made anew is renewed, under an id of its own; what had its place and lies in the trash stays first.
expect_code 0 gc --adopt-dir data --pattern 'job-*' --json
before=$("$HOLDFAST" workspace get job-1 id)
mv data/job-1 data/old
mkdir data/job-1
expect_code 0 gc --adopt-dir data --pattern 'job-*' --json
expect_json '.adopted[0]' job-1
[ "$("$HOLDFAST" workspace get job-1 id)" != "$before" ] || fail 'it has its old id'
[ ! -e "$sessions/.holdfast-outside/$before" ] || fail 'its old entry is still there'
expect_code 0 "$HOLDFAST" workspace attach job-1 -- true
