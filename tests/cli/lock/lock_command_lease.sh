#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lease is renewed while its command runs, however long; a stopped holder loses it to who asks for that, is fenced
# off, and ends with 76 after its tree was ended.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

hold x --ttl 2s
expect_code 75 "$HOLDFAST" lock x -w 5s --on-expired take -- touch ran
[ ! -e ran ] || fail 'a live lease was taken'
let_go
[ "$held_code" -eq 0 ] || fail "the holder ended with $held_code"

# Stopped past its ttl. What yields nothing is not taken.
hold x --ttl 0.6s --yields wait
stop_holder
expect_code 75 "$HOLDFAST" lock x -w 1.5s --on-expired take -- touch ran
kill -CONT "$holder"
let_go
[ "$held_code" -eq 0 ] || fail "nobody took it, and the holder ended with $held_code"

for how in term notify ignore; do
  hold x --ttl 0.6s --on-lost "$how"
  stop_holder
  expect_code 0 "$HOLDFAST" lock x -w 30s --on-expired take -- touch taken
  expect_stderr_contains 'taken over'
  [ -e taken ] || fail 'the next holder did not run'
  kill -CONT "$holder"
  lost="journal count --type lock.lost"
  case $how in
  term)
    wait_until gone "$work"
    expected=1
    ;;
  notify)
    wait_until grep -q 'goes on without it' holder-stderr
    expected=2
    ;;
  ignore)
    # shellcheck disable=SC2086
    wait_until sh -c '[ "$("$0" journal count --type lock.lost)" -eq 3 ]' "$HOLDFAST"
    expected=3
    ;;
  esac
  [ "$how" = term ] || echo >go
  code=0
  wait "$holder" || code=$?
  [ "$code" -eq 76 ] || fail "$how: exit code $code, not 76"
  # shellcheck disable=SC2086
  [ "$("$HOLDFAST" $lost)" -eq "$expected" ] || fail "$how: lock.lost is on record $("$HOLDFAST" $lost) times"
  expect_code 0 "$HOLDFAST" lock -n x -- true
done
[ "$("$HOLDFAST" journal count --type lock.taken)" -eq 3 ] || fail 'not each taking is on record'
[ ! -e ran ] || fail 'ran beside a holder'
