#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A signal ends gc with 75, while it asks as while it rescues, and what was not done is not called failed.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkfifo up
# ended_by_signal OPTION…: gc, which is asked to end once its command has said so through `up`.
ended_by_signal() {
  "$HOLDFAST" gc --grace 0 --json "$@" >out.json 2>err &
  child=$!
  read -r _ <up
  kill -s TERM "$child"
  code=0
  wait "$child" || code=$?
  [ "$code" = 75 ] || fail "it ended with $code: $(cat err)"
}

new asked --authority command:jobs/1
ended_by_signal --probe "echo up >'$PWD/up'; exec sleep 60"
[ -d "$sessions/asked" ] || fail 'it went'
"$HOLDFAST" workspace set asked --no-authority >/dev/null || fail 'workspace set'
ended over
ended_by_signal --rescue "echo up >'$PWD/up'; exec sleep 60"
[ "$(jq -r '.interrupted, (.failed | length)' <out.json | tr '\n' ' ')" = 'true 0 ' ] || fail "it says $(cat out.json)"
[ -d "$sessions/over" ] || fail 'it went'
# Nobody holds anything any more.
expect_code 0 gc --json
expect_reason removed over ended
