#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a person edited inside a block is not overwritten and not removed, unless asked; converted line ends
# are no edit.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'u\n' >f
echo one | put f --id x
expect_code 0 "$HOLDFAST" block check f
expect_no_stderr
sed -i 's/^one$/mine/' f
keep f
echo two | expect_code 77 put f --id x --json
expect_json .error.cause edited-inside
expect_kept f
expect_code 77 "$HOLDFAST" block remove f --id x
expect_stderr_contains 'lines 2 to 4'
expect_kept f
expect_code 0 "$HOLDFAST" block check f
expect_stderr_contains 'edited by hand'
expect_code 0 "$HOLDFAST" block check f --json
expect_json '.edited[0].id' x
expect_code 0 "$HOLDFAST" block list f
expect_stdout_contains 'edited by hand'
expect_code 0 "$HOLDFAST" journal count --type block.refused --where data.reason=edited-inside
expect_stdout_is 2

# The same edit as the tool's loses nothing.
cp f g
echo mine | expect_code 0 put g --id x --json
expect_json .changed true
expect_code 0 "$HOLDFAST" block check g
expect_no_stderr
echo two | expect_code 0 put f --id x --overwrite-edits
sed 's/$/\r/' f >h
echo two | expect_code 0 put h --id x --json
expect_json .changed false
