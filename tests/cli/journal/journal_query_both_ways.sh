#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `query --reverse` stops anywhere in a sound journal without an alarm, and shows every readable event of a
# damaged one, as the forward query does.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.a '{"n":1}'
"$HOLDFAST" journal rotate -q >/dev/null || fail 'rotate failed'
append x.b '{"n":2}'
all=$("$HOLDFAST" journal query --json | wc -l)
for limit in $(seq "$all"); do
  expect_code 0 "$HOLDFAST" journal query --reverse --limit "$limit" --json
  [ "$(wc -l <"$stdout")" = "$limit" ] || fail "not $limit events"
  expect_code 0 "$HOLDFAST" journal query --last "$limit"
  expect_no_stderr
done

# both_ways WHAT: the same events in both directions, and 65.
both_ways() {
  expect_code 65 "$HOLDFAST" journal query --json
  jq -c 'select(has("seq"))' <"$stdout" >forwards
  expect_code 65 "$HOLDFAST" journal query --reverse --json
  jq -c 'select(has("seq"))' <"$stdout" | tac >backwards
  cmp -s forwards backwards || fail "$1: other events backwards: $(diff forwards backwards)"
}

for n in 3 4 5 6; do append x.c "{\"n\":$n}"; done
file=$(segment)
cp "$file" whole
chmod u+w "$file"
sed '4{h;d};5{G}' whole >"$file"
both_ways 'swapped lines'
sed '3{p}' whole >"$file"
both_ways 'a line twice'
