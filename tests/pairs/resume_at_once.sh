#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Of several `resume` of one name at once one runs, and the others are told so.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up go ends
expect_code 0 "$HOLDFAST" run --name n -- sh -c 'echo >>ran; [ -e first ] || { : >first; exit 0; }; echo >up; read -r _ <go'
for n in 1 2 3 4; do
  { code=0; "$HOLDFAST" resume n >/dev/null 2>"err$n" || code=$?; echo "$code" >ends; } &
done
read -r _ <up
exec 7<>ends
for n in 1 2 3; do
  read -r code <&7
  [ "$code" -eq 75 ] || fail "one ended with $code: $(cat err?)"
done
echo >go
read -r code <&7
[ "$code" -eq 0 ] || fail "the one that ran ended with $code"
[ "$(wc -l <ran)" -eq 2 ] || fail "it ran $(wc -l <ran) times"
expect_record n .number 2
