#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A damaged log of items is an answer of its own: nothing is begun and nothing is overwritten. A line that was being
# written when its writer died is not there. A newer log is not damaged.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file
items a b
expect_code 0 "$HOLDFAST" loop fix.toml --once
log=$HOLDFAST_HOME/loops/fix/items.log
cp "$log" whole

printf '01234567 {"v":1,"kind":"item","id":"b","sta' >>"$log"
expect_code 0 "$HOLDFAST" loop status fix.toml
expect_code 0 "$HOLDFAST" loop retry fix.toml a
expect_code 0 "$HOLDFAST" loop status fix.toml
expect_item a waiting
expect_times 1 'run a'

for damage in 's/"state":"done"/"state":"gone"/' '3s/^./x/' '2d;$d;s/attempts/attempt/'; do
  sed "$damage" whole >"$log"
  cp "$log" damaged
  for what in 'loop fix.toml --once' 'loop status fix.toml' 'loop retry fix.toml a'; do
    # shellcheck disable=SC2086
    expect_code 65 "$HOLDFAST" $what
  done
  cmp "$log" damaged || fail 'it was written to'
done
expect_times 1 'run a'
cp whole "$log"
rm "$HOLDFAST_HOME/loops/fix/items/a.json"
expect_code 0 "$HOLDFAST" loop status fix.toml
