#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The topics are in the program, all that the overview lists; that of the exit codes lists every code.
root=$(cd -P -- "$(dirname -- "$0")/../../.." && pwd)
. "$(dirname -- "$0")/../../lib/lib.sh"

topics='durations environment events exit-codes flock home hooks json manual sizes'
"$HOLDFAST" help | sed -n '/^Topics$/,/^$/s/^  \([a-z-]*\)  *[a-z].*/\1/p' >listed
[ "$(tr '\n' ' ' <listed)" = "$topics " ] || fail "the overview lists other topics: $(tr '\n' ' ' <listed)"
for topic in $topics; do
  expect_code 0 "$HOLDFAST" help "$topic"
  expect_stdout_contains "holdfast $topic - "
  expect_code 0 "$HOLDFAST" help "$topic" --json
  expect_json .topic "$topic"
done

expect_code 0 "$HOLDFAST" help exit-codes
for code in 0 64 65 66 69 70 71 72 73 74 75 76 77 78 124 125 126 127; do
  grep -q "^  $code " "$stdout" || fail "$code is not listed"
done

# The book that `manual` leads to is there, and installed whole (packaging/CMakeLists.txt).
expect_code 0 "$HOLDFAST" help manual
grep -oE '[a-z/]+\.md' "$stdout" >pages
[ "$(wc -l <pages)" -gt 10 ] || fail 'too few pages'
while read -r page; do
  [ -f "$root/docs/$page" ] || fail "there is no docs/$page"
done <pages

expect_code 64 "$HOLDFAST" help exit-code
expect_stderr_contains 'did you mean exit-codes?'

# What the manual says of events is the registry: each type that it names is one that can be asked for.
expect_code 0 "$HOLDFAST" help events
grep -oE '^  [a-z]+\.[a-z_]+ ' "$stdout" >types
[ "$(wc -l <types)" -gt 40 ] || fail 'too few types'
while read -r type; do
  expect_code 0 "$HOLDFAST" journal count --type "$type"
done <types
expect_code 0 "$HOLDFAST" help journal
expect_stdout_contains 'holdfast journal count --by data.lock --type lock.fail_open --since 30d'
