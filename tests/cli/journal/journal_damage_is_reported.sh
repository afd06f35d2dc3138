#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A damaged line is reported with its segment and offset by every reader, also under -q, with 65; what is
# readable is shown all the same.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.one '{"n":1}'
append x.two '{"n":2}'
append x.three '{"n":3}'
offset=$(grep -b '"e":"x.two"' "$(segment)" | cut -d: -f1)
sed -i 's/{"n":2}/{"n":4}/' "$(segment)"
place="seg-0000000000000001.jsonl:$offset"

expect_code 65 "$HOLDFAST" journal query -q
expect_stderr_contains "$place: checksum"
expect_stdout_contains x.one
expect_stdout_contains x.three
! grep -q x.two "$stdout" || fail 'a damaged record was shown'

expect_code 65 "$HOLDFAST" journal query --type 'x.*' --json
[ "$(jq -r 'select(has("seq")).type' <"$stdout" | tr '\n' ' ')" = 'x.one x.three ' ] || fail 'other events'
tail -n 1 "$stdout" >last
[ "$(jq -c '[.ok, .code, .error.cause, .damaged[0].offset]' <last)" = "[false,65,\"damaged\",$offset]" ] ||
  fail 'the last line is not the failed stream'

for by in '' --no-index; do
  # shellcheck disable=SC2086 # nothing, or one word
  expect_code 65 "$HOLDFAST" journal count --type 'x.*' --json $by
  expect_json .count 2
  expect_json '.damaged[0].explained' false
done
expect_code 65 "$HOLDFAST" journal verify
expect_stdout_contains "DAMAGE    $place"
expect_code 65 "$HOLDFAST" journal export --format csv
expect_stderr_contains "$place"
expect_code 65 "$HOLDFAST" metrics
expect_stdout_contains 'holdfast_journal_readable 0'

# Reading a part that is whole is no alarm.
expect_code 0 "$HOLDFAST" journal query --reverse --limit 1 --json
expect_json .type x.three
