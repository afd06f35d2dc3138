#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A log of items that was emptied, cut short or filled with zeros is damage (65), and nothing is done again; zeros behind
# what was on stable storage are what a power cut leaves, and are cut off.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file
items a b
expect_code 0 "$HOLDFAST" loop fix.toml --once
log=$HOLDFAST_HOME/loops/fix/items.log
cp "$log" whole
cp story told
size=$(wc -c <whole)
zeros() { head -c "$1" /dev/zero; }

# refused WHAT: by every command, with a way out, and the bytes stay.
refused() {
  cp "$log" damaged
  for what in 'loop fix.toml --once' 'loop status fix.toml' 'loop retry fix.toml a'; do
    # shellcheck disable=SC2086
    expect_code 65 "$HOLDFAST" $what
    expect_stderr_contains 'restore it from a backup'
  done
  cmp "$log" damaged || fail "$1: it was written to"
  cmp story told || fail "$1: something was done again"
}
: >"$log" && refused 'emptied'
zeros "$size" >"$log" && refused 'zeros'
zeros 4096 >"$log" && refused 'one page of zeros'
head -c 20 whole >"$log" && refused 'cut in the first line'
head -n 3 whole >"$log" && refused 'cut behind a line'
head -c $((size - 5)) whole >"$log" && refused 'cut in the last line'
{ head -n 3 whole; zeros 2000; } >"$log" && refused 'zeros from the fourth line on'

{ cat whole; zeros 100; } >"$log"
expect_code 0 "$HOLDFAST" loop fix.toml --once
cmp story told || fail 'something was done again'
[ "$(tr -d -c "\0" <"$log" | wc -c)" -eq 0 ] || fail "the zeros are still there"
