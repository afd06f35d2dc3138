#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The lock of a file and programs that flock `.NAME.lock` beside it exclude each other in both directions, by any way
# to the file; nothing is written into the sidecar.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v flock >/dev/null || skip 'there is no flock(1)'
printf content >f
ln -s f link

hold --file f
flock -n .f.lock touch ran && fail 'flock(1) got in'
flock -sn .f.lock touch ran && fail 'flock(1) got in as a reader'
for path in f ./f link "$PWD/f"; do
  expect_code 75 "$HOLDFAST" lock -n --file "$path" -- touch ran
done
if command -v python3 >/dev/null; then
  python3 -c 'import fcntl; fcntl.flock(open(".f.lock"), fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null && fail 'Python got in'
fi
let_go
flock -n .f.lock true || fail 'not free'

rm go held
mkfifo go held
flock .f.lock sh -c 'echo $PPID >held; read -r _ <go' &
foreign=$!
read -r pid <held
expect_code 75 "$HOLDFAST" lock -n --file link -- touch ran
expect_stderr_contains "pid $pid"
echo >go
wait "$foreign"
if command -v python3 >/dev/null; then
  python3 -c 'import fcntl
f = open(".f.lock"); fcntl.flock(f, fcntl.LOCK_EX); open("held", "w").write("x\n"); open("go").read()' &
  foreign=$!
  read -r _ <held
  expect_code 75 "$HOLDFAST" lock -n --file f -- touch ran
  expect_stderr_contains "pid $foreign"
  "$HOLDFAST" lock -w 30 --file f -- true &
  waiter=$!
  echo >go
  wait "$waiter" || fail 'the waiter was not let in'
  wait "$foreign"
fi
[ ! -s .f.lock ] || fail 'something was written into the sidecar'
[ "$(cat f)" = content ] || fail 'the file was changed'
[ ! -e ran ] || fail 'ran without the lock'
expect_code 66 "$HOLDFAST" lock --file absent/f -- true
