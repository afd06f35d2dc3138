#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Of twenty notices of one text at once one is sent, and the others are counted; of two texts at once neither is lost.
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
# send KEY TEXT N
send() {
  code=0
  echo "$2" | "$HOLDFAST" notify "$1" -q -- sh -c "cat >>sent.$1" 2>/dev/null || code=$?
  echo "$code" >"code.$1.$3"
}
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do send one same "$i" & done
for i in 1 2 3 4; do
  send two first "$i" &
  send two second "$i" &
done
wait
for file in code.*; do
  case $(cat "$file") in 0 | 75) ;; *) fail "$file: $(cat "$file")" ;; esac
done
# Who comes before the one that sends has its text on record is counted in the notice itself, who comes later on record.
# Where one of the first kind put the text there, the one that sends finds it, and is no repeat.
[ "$(grep -cx same sent.one)" -eq 1 ] || fail "sent: $(cat sent.one)"
told=$(sed -n 's/^(\([0-9]*\) repeats* w[a-z]* held back before this was sent)$/\1/p' sent.one)
[ "$(wc -l <sent.one)" -eq "$([ -n "$told" ] && echo 2 || echo 1)" ] || fail "sent: $(cat sent.one)"
counted=$((${told:-0} + $(jq '(.kept.repeats // 0) + ([.sent[].held_back // 0] | add)' "$(step_file notify one)")))
case $counted in 18 | 19) ;; *) fail "$counted of 19 were counted" ;; esac
# What was refused as busy is sent by whoever comes next.
for text in first second; do
  expect_code 0 send two "$text" last
  [ "$(cat code.two.last)" -eq 0 ] || fail "$text: $(cat code.two.last)"
  [ "$(grep -cx "$text" sent.two)" -eq 1 ] || fail "$text: $(tr '\n' ';' <sent.two)"
done
