#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A holder whose ledger is gone, or cannot be read any more, ends its command's whole tree before the lease ends.
. "$(dirname -- "$0")/lock_command.inc"
. "$(dirname -- "$0")/lib.sh"

# spoiled COMMAND…: what becomes of a holder whose ledger COMMAND spoils between two renewals.
spoiled() {
  rm -f started
  mkfifo started
  "$HOLDFAST" lock x --ttl 3s --status-fd 3 -- \
    sh -c 'trap "" TERM; sh -c "trap \"\" TERM; while :; do sleep 5; done" & echo $$ $! >started; wait' 3>status 2>"$stderr" &
  holder=$!
  read -r work child <started
  # Stopped, it cannot renew: the lease that is read here is the last one.
  stop_holder
  deadline=$(($(date +%s%N) / 1000000 + $("$HOLDFAST" locks x --json | jq .left_ms)))
  "$@"
  kill -s CONT "$holder"
  code=0
  wait "$holder" || code=$?
  ended=$(($(date +%s%N) / 1000000))
  [ "$code" -eq 76 ] || fail "exit code $code, not 76: $*"
  gone "$work" || fail "the command lives: $*"
  gone "$child" || fail "its child lives: $*"
  [ "$ended" -lt "$deadline" ] || fail "it ended $((ended - deadline)) ms after the lease: $*"
  grep -q '"by":"holdfast","code":76' status || fail "$(cat status)"
  expect_stderr_contains 'is lost'
}
ledger=$HOLDFAST_HOME/locks/x.lock
spoiled rm "$ledger"
spoiled truncate -s 0 "$ledger"
