#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A record of a newer holdfast is "cannot tell" for readers and writers, never damage, and nothing is changed.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.one
append x.two
line='{"v":2,"n":4,"t":1763200000123456,"m":1,"b":"40414243","w":"1.1","k":"event","e":"x.later","d":{}'
printf '%s,"c":"2361e637","h":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}\n' "$line" >>"$(segment)"
cp "$(segment)" before

expect_code 69 "$HOLDFAST" journal query --type 'x.*' --json
[ "$(jq -r 'select(has("seq")).type' <"$stdout" | tr '\n' ' ')" = 'x.one x.two ' ] || fail 'what came before was not shown'
tail -n 1 "$stdout" | jq -e '.ok == false and .code == 69 and .error.cause == "newer-version"' >/dev/null ||
  fail 'the last line does not say why'
expect_code 69 "$HOLDFAST" journal count
expect_no_stdout
expect_code 69 "$HOLDFAST" journal verify
expect_code 69 "$HOLDFAST" journal repair
expect_code 69 "$HOLDFAST" journal export --format csv --output made
[ ! -e made ] || fail 'an export that failed left a file'
expect_code 69 "$HOLDFAST" journal append --type x.three --data '{}'
expect_code 69 "$HOLDFAST" metrics
expect_stdout_contains 'holdfast_journal_readable 0'
cmp -s before "$(segment)" || fail 'the segment was changed'
