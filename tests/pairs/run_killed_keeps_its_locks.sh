#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The locks of `--lock` stay with the command when the supervisor of its run is killed, named, without a name, or adopted;
# they are free when the command has ended.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up go
# held NAME: L is not to be had, and who asks is told whose it is.
held() {
  expect_code 75 "$HOLDFAST" lock -n L -- touch ran
  expect_stderr_contains "pid $command"
}
for name in '' '--name n'; do
  # shellcheck disable=SC2086
  "$HOLDFAST" run $name --lock L -- sh -c 'echo "$PPID $$" >up; read -r _ <go' 2>/dev/null &
  front=$!
  read -r boss command <up
  kill -s KILL "$boss"
  code=0
  wait "$front" || code=$?
  [ "$code" -eq 69 ] || fail "exit code $code, not 69"
  held
  echo >go
  expect_code 0 "$HOLDFAST" lock -w 30s L -- true
done

orphan a --lock L -- sh -c 'read -r _ <go'
command=$(record a .command.pid)
held
expect_code 0 "$HOLDFAST" adopt a
held
echo >go
expect_code 0 "$HOLDFAST" lock -w 30s L -- true
wait_for_end a
[ ! -e ran ] || fail 'it ran beside the command'
