#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two hundred appends at once lose none, and a reader finds valid JSON at any moment.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v jq >/dev/null || skip 'jq(1) is not installed'

"$HOLDFAST" ledger append h.json --data '{"n":0}' --durability none >/dev/null || fail 'the first'
mkdir codes
n=0
while [ "$n" -lt 200 ]; do
  n=$((n + 1))
  {
    code=0
    "$HOLDFAST" ledger append h.json --data "{\"n\":$n}" --durability none --wait 60s >/dev/null 2>"codes/err$n" || code=$?
    echo "$code" >"codes/$n"
  } &
  if [ $((n % 20)) -eq 0 ]; then
    jq -e 'length >= 1' <h.json >/dev/null || fail 'a reader found something else'
    "$HOLDFAST" ledger check h.json >/dev/null || fail 'check found something else'
  fi
done
wait
n=0
while [ "$n" -lt 200 ]; do
  n=$((n + 1))
  [ "$(cat "codes/$n")" = 0 ] || fail "append $n: $(cat "codes/$n") $(cat "codes/err$n")"
done
jq -e '([.[].n] | sort) == [range(201)]' <h.json >/dev/null || fail 'an entry is missing'
jq -e '[.[].time] | . == sort' <h.json >/dev/null || fail 'not in the order of their times'
