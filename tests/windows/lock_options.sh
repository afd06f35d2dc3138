#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Readers are together and a writer is alone; without the lock a command runs only for a reason that was named; who loses
# its lock is ended, told or left alone, as it was asked for, and never ends as a success.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

waiter reader
"$HOLDFAST" lock -s x -- "$cmd" /c reader.cmd &
holder=$!
wait_until test -e reader.up
expect_code 0 "$HOLDFAST" lock -n -s x -- "$cmd" /c 'exit 0'
expect_code 75 "$HOLDFAST" lock -n x -- "$cmd" /c 'echo ran>ran'
expect_code 0 "$HOLDFAST" locks x --json
expect_json .mode shared
: >reader.go
wait "$holder" || fail "the reader ended with $?"

waiter held
"$HOLDFAST" lock y -- "$cmd" /c held.cmd &
holder=$!
wait_until test -e held.up
expect_code 75 "$HOLDFAST" lock -n y --fail-open enospc,erofs -- "$cmd" /c 'echo ran>ran'
expect_code 5 "$HOLDFAST" lock -n y --fail-open enospc,timeout -- "$cmd" /c 'echo %HOLDFAST_HELD%& exit 5'
expect_plain_stdout 0
expect_stderr_contains 'WITHOUT the lock'
expect_code 0 "$HOLDFAST" journal count --type lock.fail_open
expect_stdout_is 1
: >held.go
wait "$holder" || fail "the holder ended with $?"

for how in term notify ignore; do
  waiter lost
  "$HOLDFAST" lock z --ttl 3s --on-lost "$how" --grace 0 -- "$cmd" /c lost.cmd >/dev/null 2>lost.err &
  holder=$!
  wait_until test -e lost.up
  expect_code 0 "$HOLDFAST" locks z --json
  expect_code 0 "$HOLDFAST" break z --id "$(json_field .break_id)" --reason test
  [ "$how" != notify ] || wait_until grep -q 'goes on without it' lost.err
  [ "$how" = term ] || : >lost.go
  code=0
  wait "$holder" || code=$?
  [ "$code" -eq 76 ] || fail "$how: exit code $code, not 76: $(cat lost.err)"
  expect_code 0 "$HOLDFAST" lock -w 30 z -- "$cmd" /c 'exit 0'
done
[ ! -e ran ] || fail 'ran without the lock'
