#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock that is taken away while a run goes on: another may have worked beside it, so its success is not vouched for.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up go
# taken_away OPTION…
taken_away() {
  code=0
  "$HOLDFAST" run "$@" --lock L -- sh -c 'echo >up; read -r _ <go' 2>words &
  read -r _ <up
  id=$("$HOLDFAST" locks --json | jq -r '.locks[] | select(.name == "L") | .break_id // .id')
  expect_code 0 "$HOLDFAST" break L --id "$id" --reason 'a test'
  expect_code 0 "$HOLDFAST" lock L -- true
  echo >go
  wait "$!" || code=$?
  [ "$code" -eq 76 ] || fail "exit code $code, not 76"
  grep -q "'L' was taken away" words || fail "it says: $(cat words)"
}
taken_away
taken_away --name n
expect_record n .state unverified
expect_code 0 "$HOLDFAST" run --lock L -- true
