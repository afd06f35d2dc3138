#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `lock` runs a command alone: one that does not get the lock is told who has it, and is not run.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

expect_code 5 "$HOLDFAST" lock x -- "$cmd" /c 'exit 5'
expect_code 0 "$HOLDFAST" lock x -- "$cmd" /c 'echo %HOLDFAST_LOCK%'
expect_plain_stdout x
: >data
for lock in named '--file data'; do
  waiter held
  # shellcheck disable=SC2086  # words
  "$HOLDFAST" lock --reason 'a long story' $lock -- "$cmd" /c held.cmd &
  holder=$!
  wait_until test -e held.up
  # shellcheck disable=SC2086
  expect_code 75 "$HOLDFAST" lock -n $lock -- "$cmd" /c 'echo ran>ran'
  expect_stderr_contains 'a long story'
  # shellcheck disable=SC2086
  expect_code 75 "$HOLDFAST" lock -w 0.2 --json $lock -- "$cmd" /c 'echo ran>ran'
  expect_json .error.cause timeout
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" locks $lock --json
  expect_json .state held
  : >held.go
  wait "$holder" || fail "the holder ended with $?"
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" lock -n $lock -- "$cmd" /c 'exit 0'
done
# However its name is typed, a file has one lock.
: >Mixed
waiter held
"$HOLDFAST" lock --file mixed -- "$cmd" /c held.cmd &
holder=$!
wait_until test -e held.up
expect_code 75 "$HOLDFAST" lock -n --file MIXED -- "$cmd" /c 'echo ran>ran'
[ "$(find . -iname .mixed.lock)" = ./.Mixed.lock ] || fail "sidecars: $(find . -iname .mixed.lock)"
: >held.go
wait "$holder" || fail "the holder ended with $?"
[ ! -e ran ] || fail 'ran without the lock'
