#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A stopped holder past its lease: `--on-expired replace` puts a new lock file in its place and fences it off (76). A program
# that keeps the lock file open without sharing it makes that impossible: busy, and the answer says why. Nobody is presumed
# dead, since Windows names no holder: the answer says so, and `--presume-dead` is no obstacle where the lock is free.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"
wine=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$HOLDFAST")
: >f
expect_code 0 "$HOLDFAST" lock -n --file f --presume-dead 1s -- "$cmd" /c 'exit 0'

waiter held
"$HOLDFAST" lock --file f --ttl 2s -- "$cmd" /c held.cmd >/dev/null 2>held.err &
holder=$!
wait_until test -e held.up
kill -s STOP "$holder"
expect_code 0 "$HOLDFAST" lock -w 60 --file f --on-expired replace -- "$cmd" /c 'echo ran>ran'
[ -e ran ] || fail 'the taker did not run'
expect_code 0 "$HOLDFAST" journal count --type lock.taken
expect_stdout_is 1
kill -s CONT "$holder"
code=0
wait "$holder" || code=$?
[ "$code" -eq 76 ] || fail "the replaced holder: $code: $(cat held.err)"
rm ran
for name in .hf-stage-*; do
  case $name in .hf-stage-lock | '.hf-stage-*') ;; *) fail "left behind: $name" ;; esac
done
expect_code 0 "$HOLDFAST" lock -n --file f -- "$cmd" /c 'exit 0'

# A program of the C library has it, and then waits for nobody.
"$wine" "$(dirname -- "$HOLDFAST_EXE")/msvcrt_locker.exe" .f.lock go >taken &
wait_until grep -q held taken
expect_code 75 "$HOLDFAST" lock -w 2s --file f --presume-dead 1s --on-expired replace -- "$cmd" /c 'echo ran>ran'
expect_stderr_contains 'does not tell who holds it'
: >go
wait
[ ! -e ran ] || fail 'ran beside the other program'
expect_code 0 "$HOLDFAST" journal count --type lock.taken
expect_stdout_is 1
