#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A holder whose ledger is gone, or cannot be read any more, ends its command's whole tree before the lease ends.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# spoiled NAME COMMAND…: what becomes of a holder whose ledger COMMAND spoils between two renewals. It ends its tree when
# two thirds of the lease are over; the last one is the room it has here.
spoiled() {
  name=$1 stderr=$1.stderr
  shift
  mkfifo "$name.started"
  "$HOLDFAST" lock "$name" --ttl 15s --status-fd 3 -- sh -c 'trap "" TERM
    sh -c "trap \"\" TERM; while :; do sleep 5; done" & echo $$ $! >"$0"; wait' "$name.started" 3>"$name.status" 2>"$stderr" &
  holder=$!
  read -r work child <"$name.started"
  # Stopped, it cannot renew: the lease that is read here is the last one.
  stop_holder
  deadline=$(($(date +%s%N) / 1000000 + $("$HOLDFAST" locks "$name" --json | jq .left_ms)))
  "$@"
  kill -s CONT "$holder"
  code=0
  wait "$holder" || code=$?
  ended=$(($(date +%s%N) / 1000000))
  [ "$code" -eq 76 ] || fail "exit code $code, not 76: $*"
  gone "$work" || fail "the command lives: $*"
  gone "$child" || fail "its child lives: $*"
  [ "$ended" -lt "$deadline" ] || fail "it ended $((ended - deadline)) ms after the lease: $*"
  grep -q '"by":"holdfast","code":76' "$name.status" || fail "$(cat "$name.status")"
  expect_stderr_contains 'is lost'
}
locks=$HOLDFAST_HOME/locks
(trap - EXIT && spoiled x rm "$locks/x.lock") &
removed=$!
(trap - EXIT && spoiled y truncate -s 0 "$locks/y.lock") &
emptied=$!
wait "$removed" || fail 'the ledger that was removed'
wait "$emptied" || fail 'the ledger that was emptied'
