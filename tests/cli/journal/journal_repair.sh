#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `repair` puts damage on record and removes no byte; afterwards readers call it known, and the code is 0.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" journal repair
expect_stdout_is 'nothing to repair'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'
append x.one
append x.two '{"n":2}'
append x.three
expect_code 0 "$HOLDFAST" journal repair
expect_stdout_is 'nothing to repair'

sed -i 's/{"n":2}/{"n":4}/' "$(segment)"
expect_code 65 "$HOLDFAST" journal append --type x.lost --data '{}' # next to the end: who knows what is lost
expect_stderr_contains 'holdfast journal repair'
cp "$(segment)" before
expect_code 65 "$HOLDFAST" journal repair --dry-run
expect_stdout_contains 'would put on record: seg-0000000000000001.jsonl:'
cmp -s before "$(segment)" || fail '--dry-run changed something'
expect_code 0 "$HOLDFAST" journal repair --json
expect_json '.acknowledged[0].kind' checksum
expect_json '.left | length' 0
head -c "$(wc -c <before)" "$HOLDFAST_HOME/journal/seg-0000000000000001.jsonl" | cmp -s - before || fail 'bytes were removed or changed'

expect_code 0 "$HOLDFAST" journal verify --json
expect_json '.damaged[0].kind' checksum
expect_json '[.damaged[].explained] | unique | .[]' true
expect_code 0 "$HOLDFAST" journal query --type 'x.*'
expect_stderr_contains 'known damage'
expect_code 0 "$HOLDFAST" journal query --type 'x.*' -q
expect_no_stderr
expect_code 0 "$HOLDFAST" journal query --type journal.repaired --json
expect_json .data.kind damaged
append x.four
append x.five
expect_code 0 "$HOLDFAST" journal repair
expect_stdout_is 'nothing to repair'

# A line that is cut out leaves a gap.
sed -i '/"e":"x.four"/d' "$(segment)"
expect_code 65 "$HOLDFAST" journal verify
expect_code 0 "$HOLDFAST" journal repair
expect_code 0 "$HOLDFAST" journal verify
