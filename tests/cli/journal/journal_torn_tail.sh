#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A record that was cut off in the middle is no damage but an unfinished end; the next append keeps its bytes,
# cuts it off, says so and goes on; the result verifies.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.one
append x.two
printf '{"v":1,"n":4,"t":17632' >>"$(segment)"
expect_code 0 "$HOLDFAST" journal verify --json
expect_json .unfinished_bytes 22
expect_code 0 "$HOLDFAST" journal query --type 'x.*'
expect_stderr_contains '22 bytes are an unfinished record'
[ "$(wc -l <"$stdout")" -eq 2 ] || fail 'not the two whole ones'

expect_code 0 "$HOLDFAST" journal append --type x.three --data '{}'
expect_code 0 "$HOLDFAST" journal query --type journal.repaired --json
expect_json '.data.kind, .data.bytes' "$(printf 'torn\n22')"
blob=$(json_field .data.blob)
cat "$HOLDFAST_HOME"/journal/blobs/"$blob"* | grep -q '^{"v":1,"n":4,"t":17632$' || fail 'the torn bytes are not kept'
expect_code 0 "$HOLDFAST" journal verify
expect_no_stderr
expect_code 0 "$HOLDFAST" journal count --type 'x.*'
expect_stdout_is 3

# `repair` does the same without an event of yours.
printf '{"v":1' >>"$(segment)"
expect_code 0 "$HOLDFAST" journal repair
expect_stdout_contains 'mended the end'
expect_code 0 "$HOLDFAST" journal count --type journal.repaired
expect_stdout_is 2
