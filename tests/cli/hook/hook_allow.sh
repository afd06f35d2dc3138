#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --hook-allow: a named answer becomes 0, with the reason on stderr and on record; never in silence.
. "$(dirname -- "$0")/../../lib/lib.sh"

count() { "$HOLDFAST" journal count --type "$1"; }

expect_code 0 "$HOLDFAST" run --hook-allow deadline --timeout 50ms -- sleep 60
expect_stderr_contains 'let through'
expect_stderr_contains '124 (deadline)'
[ "$(count hook.allowed)" -eq 1 ] || fail 'allowed, and not on record'
expect_code 0 "$HOLDFAST" journal query --type hook.allowed --json
[ "$(jq -r '[.class, .data.reason, .data.code] | join("|")' <"$stdout")" = 'decision|deadline|124' ] ||
  fail 'the record does not say what was allowed'

# Only what was named.
expect_code 2 "$HOLDFAST" run --hook-allow busy,io --timeout 50ms -- sleep 60
expect_code 2 "$HOLDFAST" run --hook-allow deadline -- ./not-there
expect_code 0 "$HOLDFAST" run --hook-allow deadline,command-not-found -- ./not-there
[ "$(count hook.allowed)" -eq 2 ] || fail 'not each is on record'
# The command's own code is not holdfast's answer.
expect_code 124 "$HOLDFAST" run --hook-allow deadline -- sh -c 'exit 124'

# There is no word for all, and none for a wrong line or a fault.
for word in all usage internal 'done' frobnicate '' 'busy,'; do
  expect_code 2 "$HOLDFAST" run --hook-allow "$word" -- touch ran
done
expect_stderr_contains 'command-not-found'
[ ! -e ran ] || fail 'ran in spite of a wrong word'

# What cannot be put on record is not allowed.
expect_code 2 "$HOLDFAST" --home /dev/null/none run --hook-allow config,no,io,os-refused,refused,busy,wrapper-failed -- touch ran
[ ! -e ran ] || fail 'ran without a record'

# Neither is what could be recorded at the start, and cannot be at the end.
expect_code 2 "$HOLDFAST" write file --hook-allow corrupt -- sh -c 'mv "$HOLDFAST_HOME" gone; : >"$HOLDFAST_HOME"; exit 1'
expect_stderr_contains 'it blocks, because that it was allowed could not be recorded'
