#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory whose home is gone for good is adopted by no other home, until somebody removes its mark.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"
command -v setfattr >/dev/null || skip 'there is no setfattr(1)'

mkdir out
new job --dir "$PWD/out/job"
echo work >out/job/file
rm -r "$HOLDFAST_HOME"
HOLDFAST_HOME=$scratch/there
expect_code 0 gc --adopt-dir "$PWD/out" --pattern '*' --authority 'command:x/{name}' --probe true --allow-all --json
if grep -q 'without a mark' "$stderr"; then skip 'the file system keeps no marks'; fi
expect_reason failed job other-home
[ "$(cat out/job/file)" = work ] || fail 'it was touched'
setfattr -x user.holdfast out/job
expect_code 0 gc --adopt-dir "$PWD/out" --pattern '*' --authority 'command:x/{name}' --json
expect_json '.adopted | join(" ")' job
[ "$(cat out/job/file)" = work ] || fail 'it was moved'
