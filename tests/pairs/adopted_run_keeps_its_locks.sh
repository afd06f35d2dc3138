#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The adopter of a run holds its locks until the tree is gone and the outcome verified; one that was broken, before the
# adoption or after it, makes its success unverified.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo go_a go_b go_c verifying verified
orphan a --lock L --verify 'echo >verifying; read -r _ <verified' -- sh -c 'read -r _ <go_a; "$HOLDFAST" check L'
need_group
"$HOLDFAST" lock -w 30s L -- true &
waiter=$!
until [ "$("$HOLDFAST" locks L --json | jq '.waiters | length')" -eq 1 ]; do :; done
expect_code 0 "$HOLDFAST" adopt a
orphan b --lock M -- sh -c 'read -r _ <go_b'
orphan c --lock N -- sh -c 'read -r _ <go_c'
# taken_away LOCK
taken_away() {
  expect_code 0 "$HOLDFAST" break "$1" --id "$("$HOLDFAST" locks "$1" --json | jq -r .break_id)" --reason test
  expect_code 0 "$HOLDFAST" lock "$1" -- true
}
taken_away M
expect_code 0 "$HOLDFAST" adopt b
expect_code 0 "$HOLDFAST" adopt c
taken_away N
for name in a b c; do echo >"go_$name"; done
for name in b c; do
  wait_for_end "$name"
  [ "$(record "$name" .state)" != lost ] || skip 'this kernel does not say how it ended'
  expect_record "$name" .state unverified
done
read -r _ <verifying
expect_code 75 "$HOLDFAST" lock -n L -- true
echo >verified
expect_code 0 "$HOLDFAST" wait a
wait "$waiter" || fail 'the waiter was not let in'
