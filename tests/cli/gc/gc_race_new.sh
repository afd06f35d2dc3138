#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Clean-ups without a grace against a thousand sessions being made, used and left at once: none that lives is touched,
# and every one that was left goes.
# label: long
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir live
# Each maker owns its sessions as long as it lives; a quarter of them it ends and leaves.
maker() {
  sh -c '
    i=0
    while [ $i -lt 125 ]; do
      name=m'"$1"'-$i
      "$HOLDFAST" workspace new $name --owner $$ --authority command:pool/$name >/dev/null || exit 1
      echo $name >"$HOLDFAST_HOME/sessions/$name/work" || exit 2
      if [ $((i % 4)) -eq 0 ]; then "$HOLDFAST" workspace end $name --force >/dev/null || exit 3
      else echo $name >>"live/'"$1"'"; fi
      i=$((i + 1))
    done
    : >"ready.'"$1"'"
    while [ ! -e done ]; do sleep 0.05; done
    while read -r name; do
      [ "$(cat "$HOLDFAST_HOME/sessions/$name/work")" = "$name" ] || exit 4
    done <"live/'"$1"'"
  ' &
}
export HOLDFAST
makers=
for m in 1 2 3 4 5 6 7 8; do
  maker $m
  makers="$makers $!"
done
# A probe that knows nobody at all, and the brake lifted: attachment alone protects them.
while [ "$(find . -name 'ready.*' | wc -l)" -lt 8 ]; do
  gc --probe true --allow-all --trash-for 0 >"$stdout" 2>"$stderr" || fail "gc: $?"
  for maker in $makers; do kill -0 "$maker" 2>/dev/null || fail 'a maker lost its session'; done
done
gc --probe true --allow-all --trash-for 0 >"$stdout" 2>"$stderr" || fail 'the last gc'
left=$(find "$sessions" -mindepth 1 -maxdepth 1 -type d ! -name '.*' | wc -l)
[ "$left" -eq 744 ] || fail "$left sessions are there, not the 744 that live: gc does too little or too much"
: >"done"
for maker in $makers; do
  wait "$maker" || fail "a maker found its session damaged: $?"
done
