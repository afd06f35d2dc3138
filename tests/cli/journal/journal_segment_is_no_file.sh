#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory, pipe or link at a segment's name is damage of that segment: every reader says so with 65, shows
# the rest, and does not hang.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.one
"$HOLDFAST" journal rotate -q >/dev/null || fail 'rotate failed'
append x.two
place=$HOLDFAST_HOME/journal/seg-0000000000000001.jsonl
mv "$place" elsewhere

# refused WHAT
refused() {
  for way in '' --reverse; do
    # shellcheck disable=SC2086 # nothing, or one word
    expect_code 65 timeout 20 "$HOLDFAST" journal query $way
    expect_stdout_contains x.two
    expect_stderr_contains "seg-0000000000000001.jsonl:0: header: $1 stands in the place of the segment"
  done
  expect_code 65 timeout 20 "$HOLDFAST" journal count --type x.two --json
  expect_json .count 1
  expect_code 65 timeout 20 "$HOLDFAST" journal verify
  expect_stdout_contains "$1 stands in the place"
  expect_code 65 timeout 20 "$HOLDFAST" journal export --format csv
  expect_stdout_contains x.two
  expect_code 0 timeout 20 "$HOLDFAST" journal follow --since 1d --type x.two --limit 1 --timeout 10
}

mkdir "$place"
refused 'a directory'
rmdir "$place"
mkfifo "$place"
refused 'a pipe, socket or device'
rm "$place"
ln -s "$PWD/elsewhere" "$place"
refused 'a link'
