#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Duplicate, nested, crossed, reversed, malformed and fenced markers: put and remove refuse with the line,
# whatever id is meant; check lists them all; the file stays byte for byte.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

b() { printf '<!-- >>> holdfast %s sha256:0123456789abcdef -->\n' "$1"; }
e() { printf '<!-- <<< holdfast %s -->\n' "$1"; }
refused() { # KIND LINES
  keep a.md
  for id in a zz; do
    expect_code 65 put a.md --id "$id" --overwrite-edits <keep.txt
    for line in $2; do expect_stderr_contains "line $line: $1"; done
    expect_kept a.md
    expect_code 65 "$HOLDFAST" block remove a.md --id "$id"
    expect_kept a.md
  done
  expect_code 65 "$HOLDFAST" block check a.md
  for line in $2; do expect_stdout_contains "a.md:$line: $1: <!--"; done
  expect_code 65 "$HOLDFAST" block check a.md --json
  expect_json '[.anomalies[] | .line] | map(tostring) | join(" ")' "$2"
  expect_json '[.anomalies[] | .kind] | unique | join(" ")' "$1"
  expect_code 65 "$HOLDFAST" block list a.md
}
printf 'new\n' >keep.txt
{ b a; e a; b a; e a; } >a.md;        refused duplicate '3 4'
{ b a; b b; e b; e a; } >a.md;        refused nested '1 4'
{ b a; b b; e a; e b; } >a.md;        refused crossed '1 2 3 4'
{ e a; echo t; b a; } >a.md;          refused reversed '1 3'
{ echo t; e a; } >a.md;               refused orphan-end '2'
{ echo '```'; b a; e a; echo '```'; } >a.md; refused in-fence '2 3'
{ echo '<!-- >>> holdfast a -->'; echo '<!--<<< holdfast a-->'; } >a.md; refused malformed '1 2'

printf 'text\n~~~\nnever closed\n' >a.md
keep a.md
expect_code 65 put a.md --id a <keep.txt
expect_stderr_contains 'code fence that line 2 opens'
expect_kept a.md
# Outside Markdown a fence is text.
{ echo '```'; b a; e a; echo '```'; } >a.html
expect_code 0 "$HOLDFAST" block check a.html
