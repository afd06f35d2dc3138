#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A detached run prints its name, returns once the command runs, holds none of the caller's descriptors or groups, has no
# stdin, and is on record to its end; a command that cannot be started is told at once.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go
name=$("$HOLDFAST" run --detach -- sh -c 'read -r _ && echo had input; read -r _ <go; exit 3' 9>lockfile)
case $name in sh-????????) ;; *) fail "an odd name: $name" ;; esac
expect_record "$name" .state running
supervisor=$(record "$name" .supervisor.pid)
command=$(record "$name" .command.pid)
for pid in "$supervisor" "$command"; do
  [ -z "$(find "/proc/$pid/fd" -lname '*lockfile')" ] || fail "$pid holds a descriptor of the caller"
  session=$(sed 's/.*) //' "/proc/$pid/stat" | cut -d ' ' -f 4)
  [ "$session" -eq "$pid" ] || fail "$pid is in the session of somebody else"
done
[ "$(readlink "/proc/$supervisor/cwd")" = / ] || fail 'the supervisor keeps a directory busy'
[ "$(readlink "/proc/$command/cwd")" = "$PWD" ] || fail 'the command runs elsewhere'
echo >go
expect_code 3 "$HOLDFAST" wait "$name"
expect_record "$name" .state exited
[ ! -s "$HOLDFAST_HOME/sessions/$name/out.log" ] || fail 'it had input'

expect_code 127 "$HOLDFAST" run --detach --name nothing -- ./no-such-program
expect_stdout_is nothing
expect_record nothing .state failed
expect_code 0 "$HOLDFAST" run --detach --json --name quick -- true
expect_json .name quick
wait_for_end quick
expect_record quick .exit_code 0

# The end of the front end changes nothing.
"$HOLDFAST" run --name stays -- sh -c 'echo begun >begun; read -r _ <go; echo more; exit 4' >/dev/null 2>&1 &
front=$!
until [ -s begun ]; do sleep 0.05; done
"$HOLDFAST" wait stays --until running
kill -s KILL "$front"
wait "$front" 2>/dev/null || :
expect_record stays .state running
echo >go
expect_code 4 "$HOLDFAST" wait stays
[ "$(cat "$HOLDFAST_HOME/sessions/stays/out.log")" = more ] || fail 'the log ended with the front end'
