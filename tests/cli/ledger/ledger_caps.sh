#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Caps keep the newest; with --cap-per a noisy value does not drive out the others; what stays keeps its bytes.
. "$(dirname -- "$0")/../../lib/lib.sh"

add() { # JSON OPTION…
  data=$1
  shift
  expect_code 0 "$HOLDFAST" ledger append h.json --durability none --data "$data" "$@"
  jq -e 'type == "array"' <h.json >/dev/null || fail 'not an array any more'
}
printf '[\n    {"signal": "quiet", "n": 1.50},\n    {"note": true}\n]\n' >h.json
for n in 1 2 3 4 5 6 7 8; do add "{\"signal\":\"noisy\",\"n\":$n}" --cap-per signal=2 --cap 10; done
[ "$(jq -c '[.[].n]' <h.json)" = '[1.50,null,7,8]' ] || [ "$(jq -c '[.[].n]' <h.json)" = '[1.5,null,7,8]' ] || fail 'other entries'
[ "$(head -n 3 h.json)" = "$(printf '[\n    {"signal": "quiet", "n": 1.50},\n    {"note": true},')" ] || fail 'other bytes'
grep -qxE '    [{]"signal": "noisy", "n": 8, "time": "[^"]*"[}]' h.json || fail 'another style'
add '{"n":9}' --cap 2 --json
expect_json .dropped 3
expect_json .entries 2
[ "$(jq -c '[.[].n]' <h.json)" = '[8,9]' ] || fail 'not the newest two'
add '{"o":{"k":1},"n":10}' --cap-per o.k=1 --cap-per signal=1
add '{"o":{"k":1},"n":11}' --cap-per o.k=1 --cap-per signal=1
[ "$(jq -c '[.[].n]' <h.json)" = '[8,9,11]' ] || fail 'not capped by a path'

cp h.json before
for option in '--cap 0' '--cap x' '--cap-per signal' '--cap-per signal=0' '--cap-per =2' '--cap-per a..b=2' \
  '--time-field a.b' '--mode 9' '--links both'; do
  # shellcheck disable=SC2086 # two words
  expect_code 64 "$HOLDFAST" ledger append h.json --data '{}' $option
done
expect_code 64 "$HOLDFAST" ledger append
expect_code 64 "$HOLDFAST" ledger last h.json --where signal
expect_code 64 "$HOLDFAST" ledger last h.json --within soon
cmp -s before h.json || fail 'it was changed'
