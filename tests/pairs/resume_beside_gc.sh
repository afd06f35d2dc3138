#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `resume` beside a clean-up and the trash: what gc is taking does not begin, what has begun is not taken, what is gone is
# not there, and what came back under another name is resumed under that.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

mkfifo up go
expect_code 0 "$HOLDFAST" run --name n -- sh -c 'echo "$HOLDFAST_SESSION" >>ran; [ ! -e wait ] || { echo >up; read -r _ <go; }'
# It has read the record and waits for the name when the directory goes.
expect_code 0 "$HOLDFAST" run --name gone -- touch "$PWD/ran-gone"
rm ran-gone
"$HOLDFAST" lock session:gone -- sh -c 'echo >up; read -r _ <go' &
read -r _ <up
"$HOLDFAST" resume gone 2>resumed-gone &
resumed=$!
until [ "$("$HOLDFAST" locks session:gone --json | jq '.waiters | length')" -eq 1 ]; do :; done
mv "$sessions/gone" trashed
echo >go
code=0
wait "$resumed" || code=$?
case $code in
  0) expect_record gone .state exited ;;
  66) [ ! -e ran-gone ] || fail 'it ran, and said that there is none' ;;
  *) fail "exit code $code: $(cat resumed-gone)" ;;
esac

touch wait
"$HOLDFAST" resume n &
resumed=$!
read -r _ <up
expect_code 0 gc --runs --json
expect_reason kept n runs
echo >go
wait "$resumed" || fail 'the resumed run failed'
rm wait
expect_code 0 gc --runs --json
expect_reason removed n run-ended
expect_code 66 "$HOLDFAST" resume n
expect_code 0 "$HOLDFAST" trash restore n --as m
expect_code 0 "$HOLDFAST" resume m
expect_record m .name m
expect_record m .number 3
[ "$(paste -sd' ' ran)" = 'n n m' ] || fail "ran: $(paste -sd' ' ran)"
