#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A log of version 0.1, which has no heads, is read as it is and gets them with the next change; emptied, it is damage
# if the loop has ever begun an item, and a new log if it has not.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file
items a
expect_code 0 "$HOLDFAST" loop fix.toml --once
log=$HOLDFAST_HOME/loops/fix/items.log
grep -v '"kind":"head"' "$log" >old
cat old >"$log"
expect_code 0 "$HOLDFAST" loop status fix.toml
cmp "$log" old || fail 'a look has changed it'
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item a 'done'
expect_times 1 'run a'
head -n 1 "$log" | grep -q '"kind":"head"' || fail 'it has no head'

for damage in 0 30; do
  head -c "$damage" old >"$log"
  expect_code 65 "$HOLDFAST" loop fix.toml --once
  expect_code 0 "$HOLDFAST" gc --runs
  expect_stderr_contains items.log
done
expect_times 1 'run a'
rm "$HOLDFAST_HOME/loops/fix/items/a.json"
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_times 2 'run a'
