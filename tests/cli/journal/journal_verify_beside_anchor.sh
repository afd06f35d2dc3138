#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whoever verifies while others anchor is never told that the journal was cut short.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"

# So much that another anchor is made while it is read.
printf '{"filler":"%060000d"}' 0 >filler
i=0
while [ "$i" -lt 200 ]; do
  i=$((i + 1))
  "$HOLDFAST" journal append --type x.filler --data @filler >/dev/null
done
"$HOLDFAST" journal anchor --to "$scratch/anchors" >/dev/null
while [ ! -e enough ]; do "$HOLDFAST" journal anchor --to "$scratch/anchors" >/dev/null; done &
anchoring=$!
for round in 1 2 3 4 5 6 7 8 9 10; do
  code=0
  "$HOLDFAST" journal verify >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -eq 0 ] || break
done
touch enough
wait "$anchoring"
[ "$code" -eq 0 ] || fail "round $round: exit code $code"
[ "$(wc -l <"$scratch/anchors")" -gt 10 ] || fail 'nothing was anchored meanwhile'
