#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `-h` of every command, group and the program fits a screen of 24 lines and 80 columns, prompt included; `--help` is the
# whole page. Neither needs or makes a home.
. "$(dirname -- "$0")/../../lib/lib.sh"

fits() {
  expect_no_stderr
  lines=$(wc -l <"$stdout")
  [ "$lines" -le 23 ] || fail "$*: $lines lines"
  widest=$(sed 's/…/./g' <"$stdout" | awk '{ if (length($0) > w) w = length($0) } END { print w }')
  [ "$widest" -le 80 ] || fail "$*: $widest columns"
  expect_stdout_contains 'Usage: holdfast'
}

expect_code 0 "$HOLDFAST" -h
fits -h
expect_code 0 "$HOLDFAST" help
awk '/^Topics$/ { exit } /^[A-Z]/ { commands = ($0 != "Usage" && $0 != "Description") }
     commands && /^  [a-z]/ { print $1 }' "$stdout" >names
grep -qx run names || fail 'run is not in the overview'
while read -r name; do
  expect_code 0 "$HOLDFAST" "$name" -h
  fits "$name"
  expect_stdout_contains "\`holdfast $name --help\` is the whole page"
  cp "$stdout" brief
  expect_code 0 "$HOLDFAST" "$name" -qh
  cmp -s "$stdout" brief || fail "$name: -qh differs from -h"
done <names

expect_code 0 "$HOLDFAST" run -h
for word in --name --timeout --detach --lock --verify Examples 'more options'; do expect_stdout_contains "$word"; done
expect_code 0 "$HOLDFAST" journal query -h
fits journal query
expect_stdout_contains --since
expect_code 0 "$HOLDFAST" run -h --json
expect_stdout_contains '"topic":"run","text":"holdfast run - '

# Common options are explained once, on the page of the program.
expect_code 0 "$HOLDFAST" run --help
! grep -q 'keep state in DIR' "$stdout" || fail 'run --help explains a common option'
expect_code 0 "$HOLDFAST" --help
expect_stdout_contains 'keep state in DIR'
[ ! -e "$HOLDFAST_HOME" ] || fail 'help made a home'
