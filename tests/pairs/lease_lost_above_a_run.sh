#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lease that is lost ends the foreground run below it whole, and its late changes are refused; a detached run, which
# would be ended too, is not begun there.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lock_command.inc"
. "$(dirname -- "$0")/../lib/process.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

export HOLDFAST
mkfifo up late
# taken CMD…: under a lease that another takes while its holder is stopped; $holder goes on after that. Until it is
# stopped it has to renew the lease in time, on a busy machine, too.
taken() {
  "$HOLDFAST" lock L --ttl 6s -- "$@" 2>/dev/null &
  holder=$!
  read -r _ <up
  stop_holder
  expect_code 0 "$HOLDFAST" lock L -w 30s --on-expired take -- true
}
echo old >f
# shellcheck disable=SC2016
taken "$HOLDFAST" run --name n -- sh -c 'setsid sleep 600 & echo $! >left; echo >up; read -r _ <late
  code=0; "$HOLDFAST" write f -- echo new || code=$?; echo $code >up; sleep 600'
echo >late
read -r code <up
[ "$code" -eq 77 ] || fail "the late change: $code"
[ "$(cat f)" = old ] || fail 'the late change landed'
kill -CONT "$holder"
code=0
wait "$holder" || code=$?
[ "$code" -eq 76 ] || fail "the holder ended with $code"
expect_dead "$(cat left)"
expect_code 143 "$HOLDFAST" wait n
[ "$(record n .asked.by)" != null ] || fail 'who asked it to end is not on record'

expect_code 64 "$HOLDFAST" lock L --ttl 1m -- "$HOLDFAST" run --detach --name d -- sleep 600
expect_stderr_contains 'when the lease is lost'
expect_code 66 "$HOLDFAST" show d
