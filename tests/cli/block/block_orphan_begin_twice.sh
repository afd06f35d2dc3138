#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An orphan begin marker: the naive tool appends a block in run 1 and eats the user's text in run 2.
# holdfast refuses both runs, names the line, and leaves the file byte for byte.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'top\n<!-- BEGIN tool -->\nprecious user text\n' >naive.md
# The naive version: between the first begin and the first end after it everything is the block.
naive() {
  if grep -q 'END tool' naive.md; then
    sed -i '/BEGIN tool/,/END tool/d' naive.md
  fi
  printf '<!-- BEGIN tool -->\nrules\n<!-- END tool -->\n' >>naive.md
}
naive
grep -q precious naive.md || fail 'the naive version is not naive enough in run 1'
naive
! grep -q precious naive.md || fail 'the naive version is not naive enough in run 2'

printf 'top\n<!-- >>> holdfast rules sha256:0123456789abcdef -->\nprecious user text\n' >a.md
keep a.md
for _ in 1 2; do
  expect_code 65 put a.md --id rules <<'END'
rules
END
  expect_stderr_contains "line 2: orphan-begin 'rules'"
  expect_kept a.md
  expect_code 65 put a.md --id other --json </dev/null
  expect_json .error.cause orphan-begin
  expect_kept a.md
done
expect_code 65 "$HOLDFAST" block remove a.md --id rules
expect_code 65 "$HOLDFAST" block get a.md --id rules
expect_kept a.md
expect_code 0 "$HOLDFAST" journal count --type block.refused --where data.line=2 --where data.reason=orphan-begin
expect_stdout_is 5
