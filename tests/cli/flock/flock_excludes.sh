#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The flock personality and util-linux's flock exclude each other in both directions, on a file, a directory and
# through a link; shared locks share; conflict and time-out have the same codes and words.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

printf 'content' >f
ln -s f link
mkdir d
for tool in "$real" "$ours"; do
  for target in f link d; do
    hold "$tool" "$target"
    same_code 1 -n "$target" touch ran
    same_code 1 -sn "$target" touch ran
    same_code 1 -w 0.05 "$target" touch ran
    same_code 1 -w 0 "$target" touch ran
    same_code 1 -w 1e-9 "$target" touch ran
    same_code 9 -n -w 60 -E 9 "$target" touch ran
    same_code 255 -w .05 -E 255 "$target" touch ran
    same_code 0 -nE 0 "$target" touch ran
    [ ! -e ran ] || fail 'ran without the lock'
    same_code 0 -nu "$target" true  # unlocks a descriptor of its own, not the holder's
    same_code 1 -n "$target" touch ran
    let_go
    same_code 0 -n "$target" true

    hold "$tool" -s "$target"
    same_code 0 -ns "$target" true
    same_code 1 -n "$target" touch ran
    for wait in -n -w0 -w1e-7 -w0.05; do
      same_code 1 --verbose "$wait" "$target" touch ran
      cmp -s "$stderr" "$scratch/real-stderr" || fail "other words: $wait"
    done
    let_go
  done
  hold "$tool" f
  same_code 1 -n link touch ran  # the link and the file are one lock
  let_go
done
[ ! -e ran ] || fail 'ran without the lock'
[ "$(cat f)" = content ] || fail 'the file was written'

same_code 0 --verbose f true
sed 's/[0-9]\.[0-9]\{6\}/N/' "$stdout" >a
sed 's/[0-9]\.[0-9]\{6\}/N/' "$scratch/real-stdout" >b
cmp -s a b || fail 'other words for success'
