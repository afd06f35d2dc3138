#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --wait-descendants the lock is held until everything that the command started has ended, also when holdfast
# is killed meanwhile.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go started
for killed in no yes; do
  "$HOLDFAST" lock x --wait-descendants -- sh -c 'setsid sh -c "echo >started; read -r _ <go" & exit 6' &
  holder=$!
  read -r _ <started
  expect_code 75 "$HOLDFAST" lock -n x -- touch ran
  if [ "$killed" = yes ]; then
    kill -KILL "$holder"
    wait "$holder" || :
    expect_code 75 "$HOLDFAST" lock -n x -- touch ran
    echo >go
  else
    echo >go
    code=0
    wait "$holder" || code=$?
    [ "$code" -eq 6 ] || fail "exit code $code, not 6"
  fi
  expect_code 0 "$HOLDFAST" lock -w 30 x -- true
done
[ ! -e ran ] || fail 'ran beside a descendant'
