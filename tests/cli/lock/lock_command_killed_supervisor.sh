#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where the supervisor of a command is killed, nobody can say whether the command ended: the answer is 69, and the
# lock stays with the command until it really ends.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: >f

for lock in '--ttl 60s x' '--wait-descendants x' '--ttl 60s --file f'; do
  name=${lock##*s }
  # shellcheck disable=SC2086
  hold $lock
  read -r supervisor _ <"/proc/$holder/task/$holder/children" || :
  kill -KILL "$supervisor"
  code=0
  wait "$holder" || code=$?
  [ "$code" -eq 69 ] || fail "$lock: $code"
  # shellcheck disable=SC2086
  expect_code 75 "$HOLDFAST" lock -n $name -- touch ran
  expect_stderr_contains "pid $work"
  echo >go
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" lock -w 30 $name -- true
done
[ ! -e ran ] || fail 'ran beside the work'
