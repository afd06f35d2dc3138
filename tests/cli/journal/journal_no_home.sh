#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A home that is not there yet has no events, and reading makes none; what cannot be read is an error and never
# empty. Two homes know nothing of each other.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" journal query
expect_no_stdout
expect_code 0 "$HOLDFAST" journal query --json
expect_no_stdout
expect_code 0 "$HOLDFAST" journal count
expect_stdout_is 0
expect_code 0 "$HOLDFAST" journal verify --json
expect_json '.records, .head' "$(printf '0\nnull')"
expect_code 0 "$HOLDFAST" metrics
expect_stdout_contains 'holdfast_journal_readable 1'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a reader made a home'
expect_code 66 "$HOLDFAST" --home no/such/place journal count
expect_no_stdout

append x.here
expect_code 0 "$HOLDFAST" --home other journal append --type x.there --data '{}'
expect_code 0 "$HOLDFAST" --home other journal count --type x.here
expect_stdout_is 0
expect_code 0 "$HOLDFAST" journal count --type x.here
expect_stdout_is 1

mv other/journal other/kept
ln -s kept other/journal
expect_code 77 "$HOLDFAST" --home other journal count
expect_no_stdout
rm other/journal
: >other/journal
expect_code 77 "$HOLDFAST" --home other journal count
chmod 0770 "$HOLDFAST_HOME"
expect_code 77 "$HOLDFAST" journal query
expect_code 77 "$HOLDFAST" metrics
