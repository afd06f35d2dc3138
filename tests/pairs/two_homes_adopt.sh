#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory that belongs to a session of one home is neither adopted nor removed by another, until that session is
# forgotten. A copy of it is nobody's.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

mkdir out
new job --dir "$PWD/out/job"
here=$HOLDFAST_HOME
adopt_there() { HOLDFAST_HOME=$scratch/there gc --adopt-dir "$PWD/out" --pattern '*' --authority 'command:x/{name}' --json "$@"; }

expect_code 0 adopt_there
if grep -q 'without a mark' "$stderr"; then skip 'the file system keeps no marks'; fi
expect_reason failed job other-home
expect_json '.adopted | length' 0
# Nor what lies in it, nor from a home that cannot be looked at: nobody can tell.
mkdir out/job/part
expect_code 0 env HOLDFAST_HOME="$scratch/there" "$HOLDFAST" gc --adopt-dir out/job --pattern part --json
expect_reason failed part other-home
mv "$here" "$scratch/away"
expect_code 0 adopt_there
expect_reason failed job other-home
mv "$scratch/away" "$here"

# A copy, with its mark, is another directory.
cp -a out/job out/copy
expect_code 0 adopt_there
expect_json '.adopted | join(" ")' copy

# Given free by the home that has it, it can be adopted, and then the first home leaves it alone.
expect_code 0 "$HOLDFAST" workspace forget job
expect_code 0 adopt_there
expect_json '.adopted | join(" ")' job
expect_code 0 gc --adopt-dir "$PWD/out" --pattern 'j*' --json
expect_reason failed job other-home
expect_code 0 adopt_there --probe true --allow-all
expect_reason removed job not-listed
[ ! -e out/job ] || fail 'its own home did not take it'
