#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The stamp is written by success only, also where nothing had to change, and says what was done.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
expect_code 65 write f --stamp stamp -- false
[ ! -e stamp ] || fail 'a stamp of a failure'
expect_code 0 write f --stamp stamp -- printf new
[ "$(jq -r '"\(.path) \(.sha256) \(.changed)"' stamp)" = "$PWD/f $(sha_of f) true" ] || fail "$(cat stamp)"
jq -e '.time | test("^20[0-9-]+T[0-9:.]+Z$")' stamp >/dev/null || fail "$(cat stamp)"
first=$(cat stamp)
for bad in 'false' 'true' 'kill -9 $$' 'printf x; exit 3'; do
  expect_code 65 write f --stamp stamp -- sh -c "$bad"
  expect_file stamp "$first
"
done
expect_code 0 write f --stamp stamp -- printf new
[ "$(jq -r .changed stamp)" = false ] || fail "$(cat stamp)"
# One that cannot be written is known before anything is done, as is one over the file itself.
ln -s stamp link
expect_code 77 write f --stamp link -- sh -c 'touch was_run; printf newer'
expect_code 66 write f --stamp no/such -- sh -c 'touch was_run; printf newer'
for name in f ./f "$PWD/f" ../work/f; do
  expect_code 64 write f --stamp "$name" -- sh -c 'touch was_run; printf newer'
  expect_code 64 update f --stamp "$name" -- sh -c 'touch was_run; printf newer'
done
ln stamp hard
expect_code 77 write f --json --stamp hard -- sh -c 'touch was_run; printf newer'
expect_cause hard-linked
expect_file f new
expect_only f hard link stamp
if [ "$(id -u)" -eq 0 ]; then
  : >foreign
  chown 65534 foreign
  expect_code 77 write f --json --stamp foreign -- sh -c 'touch was_run; printf newer'
  expect_cause foreign-owner
  [ ! -e was_run ] || fail 'the command was run'
fi
# One that fails afterwards is told, with the state of the file: 73, not a code that says "unchanged".
for command in write update; do
  expect_code 73 "$HOLDFAST" "$command" f --json --stamp other -- sh -c 'ln -s stamp other; printf newer; echo '"$command"
  expect_cause stamp-failed
  expect_json .committed true
  expect_stdout_contains 'f itself has its new content'
  expect_file f "newer$command
"
  rm other
done
