#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `follow` goes on over segments that are sealed under it: each event once, and no damage; also where it looks
# between the seal of one and the making of the next.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.first
"$HOLDFAST" journal rotate -q >/dev/null || fail 'rotate failed'
next=$(segment)
mv "$next" aside
: >followed
timeout 100 "$HOLDFAST" journal follow --since 1d --limit 35 --json >followed 2>"$stderr" &
follower=$!
wait_for_text followed '"type":"journal.sealed"'
mv aside "$next"
for i in $(seq 16); do
  "$HOLDFAST" journal append --type x.a --data "{\"n\":$i}" >/dev/null || fail 'append failed'
  [ $((i % 2)) != 0 ] || "$HOLDFAST" journal rotate -q >/dev/null || fail 'rotate failed'
done
wait "$follower" || fail "follow ended with $?"
expect_no_stderr
[ "$(jq -r .seq <followed)" = "$(seq 35)" ] || fail 'other events'
[ "$(jq -r 'select(.type == "x.a").data.n' <followed)" = "$(seq 16)" ] || fail 'other data'
