#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Eight processes append to one ledger at once, five times each: no entry is lost, and it is valid JSON throughout.
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 0 "$HOLDFAST" ledger append h.json --data '{"n":0}'
for writer in 0 1 2 3 4 5 6 7; do
  (
    for turn in 1 2 3 4 5; do
      "$HOLDFAST" ledger append h.json --data "{\"n\":$((writer * 5 + turn))}" --wait 60s >/dev/null 2>"err$writer" ||
        exit 1
    done
  ) &
  writers="${writers:-} $!"
done
for writer in $writers; do
  jq -e 'length >= 1' <h.json >/dev/null || fail 'a reader found something else'
  wait "$writer" || fail "a writer failed: $(cat err?)"
done
jq -e '([.[].n] | sort) == [range(41)]' <h.json >/dev/null || fail "an entry is missing: $(jq -c '[.[].n]' <h.json)"
expect_code 0 "$HOLDFAST" ledger check h.json
expect_code 0 "$HOLDFAST" ledger last h.json --where n=40
