#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command answers --help with 0 and the page that `holdfast help COMMAND` shows.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" help
expect_no_stderr
cp "$stdout" overview
expect_code 0 "$HOLDFAST" --help
cmp -s "$stdout" overview || fail '--help is not help'

# The overview: terms are indented by two, sections are not; topics come after "Topics".
awk '/^Topics$/ { exit } /^[A-Z]/ { commands = ($0 != "Usage" && $0 != "Description") }
     commands && /^  [a-z]/ { print $1 }' overview >names
grep -qx help names || fail 'help is not in the overview'
while read -r name; do
  "$HOLDFAST" "$name" --help >page </dev/null || fail "$name --help failed"
  "$HOLDFAST" help "$name" >other </dev/null || fail "help $name failed"
  cmp -s page other || fail "$name: the two pages differ"
  head -n 1 page | grep -q "^holdfast $name - " || fail "$name: no title"
done <names

expect_code 64 "$HOLDFAST" help no-such-thing
expect_no_stdout
