#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A stopped holder past its lease: `kill` ends its work and its wrapper, `replace` puts a new lock file in its place and
# fences it off (76). Records of other tools are respected: 75 beside a live one, 69 beside one that cannot be judged.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: >f

for lock in x '--file f'; do
  # shellcheck disable=SC2086 # several words
  hold --ttl 300ms --yields kill $lock
  stop_holder
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" lock -w 60 --on-expired kill $lock -- true
  code=0
  wait "$holder" || code=$?
  [ "$code" -eq 137 ] || fail "the wrapper of a killed holder: $code"
  gone "$work" || fail 'the work of a killed holder lives'
done

hold --ttl 300ms --file f
stop_holder
expect_code 0 "$HOLDFAST" lock -w 60 --on-expired replace --file f -- true
kill -CONT "$holder"
code=0
wait "$holder" || code=$?
[ "$code" -eq 76 ] || fail "the replaced holder: $code"
[ "$("$HOLDFAST" journal count --type lock.taken)" -eq 3 ] ||
  fail 'not each force is on record'

echo "$$" >.f.lock
expect_code 75 "$HOLDFAST" lock -n --file f -- touch ran
expect_stderr_contains "pid $$"
printf '{"pid":1,"host":"elsewhere"}' >.f.lock
expect_code 69 "$HOLDFAST" lock -n --file f -- touch ran
[ "$(cat .f.lock)" = '{"pid":1,"host":"elsewhere"}' ] || fail 'the record of another tool was changed'
[ ! -e ran ] || fail 'ran beside a foreign holder'
