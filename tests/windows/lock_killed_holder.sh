#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock lives as long as its command: who kills the command frees it at once; who kills holdfast alone does not,
# until the command ends, and nobody runs beside it.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

: >data
for lock in x '--file data'; do
  waiter held
  # shellcheck disable=SC2086  # words
  "$HOLDFAST" lock $lock -- "$cmd" /c held.cmd >/dev/null 2>&1 &
  holder=$!
  wait_until test -e held.up
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" locks $lock --json
  expect_code 0 "$HOLDFAST" identify "$(json_field .holder.pid)"
  cp "$stdout" id
  expect_code 0 "$HOLDFAST" kill @id --grace 0
  if wait "$holder"; then fail 'the death of the command passed for success'; fi
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" lock -w 10 $lock -- "$cmd" /c 'exit 0'

  waiter held
  # shellcheck disable=SC2086
  "$HOLDFAST" lock $lock -- "$cmd" /c held.cmd >/dev/null 2>&1 &
  holder=$!
  wait_until test -e held.up
  kill -s KILL "$holder"
  wait "$holder" 2>/dev/null || :
  # shellcheck disable=SC2086
  expect_code 75 "$HOLDFAST" lock -n $lock -- "$cmd" /c 'echo ran>ran'
  : >held.go
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" lock -w 30 $lock -- "$cmd" /c 'exit 0'
done
[ ! -e ran ] || fail 'ran beside the work of a killed holdfast'
