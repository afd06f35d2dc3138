#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `stop` and `kill --tree` of one session at once: what either says is true, and one end is on record.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

for n in 1 2 3 4 5 6; do
  expect_code 0 "$HOLDFAST" run --detach --name "n$n" -- sh -c 'setsid sleep 600 & wait'
  code=0
  "$HOLDFAST" kill "n$n" --tree --json >killed 2>/dev/null &
  "$HOLDFAST" stop "n$n" --json >stopped 2>/dev/null || code=$?
  kill_code=0
  wait "$!" || kill_code=$?
  case $code in 0 | 66) ;; *) fail "stop: $code $(cat stopped)" ;; esac
  case $kill_code in
    0 | 66) ;;
    69) [ "$(jq -r .outcome killed)" = unproven ] || fail "kill: $(cat killed)" ;; # the leader had gone before
    *) fail "kill: $kill_code $(cat killed)" ;;
  esac
  wait_for_end "n$n"
  case $(record "n$n" .state) in killed | exited) ;; *) fail "it is $(record "n$n" .state)" ;; esac
  [ "$("$HOLDFAST" journal query --type session.ended --json | grep -c "\"name\":\"n$n\"")" -eq 1 ] || fail 'not one end on record'
done
