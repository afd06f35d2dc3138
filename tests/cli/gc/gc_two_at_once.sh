#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two clean-ups at once: each session goes once, and both end well.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

i=0
while [ $i -lt 40 ]; do
  ended "s-$i"
  i=$((i + 1))
done
gc --json >one.json 2>one.err & one=$!
gc --json >two.json 2>two.err & two=$!
wait $one || fail "the first: $(cat one.err)"
wait $two || fail "the second: $(cat two.err)"
both=$(jq -s '[.[].removed[].name] | length' one.json two.json)
distinct=$(jq -s '[.[].removed[].name] | unique | length' one.json two.json)
{ [ "$both" = 40 ] && [ "$distinct" = 40 ]; } || fail "$both removals of $distinct sessions, not 40 of 40"
[ "$(jq -s '[.[].failed[]] | length' one.json two.json)" = 0 ] || fail 'a failure'
[ "$("$HOLDFAST" trash list --json | jq '.trash | length')" = 40 ] || fail 'not all are in the trash'
