#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a terminal a line of the table is cut to the width; elsewhere it is whole; nothing in an event can drive the
# terminal.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST TERM=dumb

long=$(head -c 300 /dev/zero | tr '\0' y)
append x.long "{\"text\":\"$long\",\"evil\":\"\\u001b[2J\"}"
for columns in 40 60 120; do
  script -qec "stty cols $columns; \"\$HOLDFAST\" journal query" /dev/null </dev/null >"$stdout" 2>&1 || fail 'script failed'
  expect_stdout_contains x.long
  widest=$(tr -d '\r' <"$stdout" | sed 's/…/./g' | awk '{ if (length($0) > w) w = length($0) } END { print w }')
  [ "$widest" -le "$columns" ] || fail "$widest columns on a terminal of $columns"
done
expect_code 0 "$HOLDFAST" journal query --type x.long
expect_stdout_contains "text=$long evil=\\x1b[2J"
