#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--on-expired kill` ends the command of a wrapper. The owner of an `acquire` is not ended, so nothing is granted under
# that word beside it: 64, on a named lock and on that of a file; `take` is what such a holder can yield to.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers
: >f
taken=0

for lock in x '--file f'; do
  # shellcheck disable=SC2086 # several words
  owner $lock --ttl 200ms --yields kill
  code=75
  until [ "$code" -ne 75 ]; do
    code=0
    # shellcheck disable=SC2086
    "$HOLDFAST" lock -n --on-expired kill $lock -- touch ran >"$stdout" 2>"$stderr" || code=$?
  done
  [ "$code" -eq 64 ] || fail "kill of an owner: $code"
  expect_stderr_contains "process $owner"
  expect_stderr_contains 'nobody was signalled'
  [ ! -e ran ] || fail 'granted beside a live owner under the word kill'
  # shellcheck disable=SC2086
  expect_code 64 "$HOLDFAST" acquire -w 5s --on-expired kill $lock
  kill -0 "$owner" || fail 'the owner was ended'
  [ "$("$HOLDFAST" journal count --type lock.expired)" -eq "$taken" ] || fail 'a decision that nothing follows'
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" lock -w 5s --on-expired take $lock -- true
  taken=$((taken + 1))
  end_owner KILL
done
