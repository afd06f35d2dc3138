#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A killed holdfast keeps the lock for its command as long as that runs, also where the command has closed every
# descriptor; a killed command frees it at once; what a command leaves behind keeps nothing.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: >f

for lock in x '--file f'; do
  # shellcheck disable=SC2086
  hold $lock
  kill -KILL "$holder"
  wait "$holder" || :
  # shellcheck disable=SC2086
  expect_code 75 "$HOLDFAST" lock -n $lock -- touch ran
  echo >go
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" lock -w 30 $lock -- true
  [ ! -e ran ] || fail 'ran beside the work of a killed holdfast'
done

# The record names the command, so its descriptors are not needed.
mkfifo born go2
"$HOLDFAST" lock x -- bash -c 'for fd in /proc/self/fd/*; do n=${fd##*/}; case $n in [012]) ;; *) eval "exec $n>&-" ;; esac; done
  echo $$ >born; read -r _ <go2' &
holder=$!
read -r work <born
[ -z "$(find "/proc/$work/fd" -lname '*x.lock')" ] || fail 'the descriptor was not closed'
kill -KILL "$holder"
wait "$holder" || :
expect_code 75 "$HOLDFAST" lock -n x -- touch ran
expect_stderr_contains "pid $work"
"$HOLDFAST" lock -w 30 x -- true &
waiter=$!
echo >go2
wait "$waiter" || fail 'the waiter was not let in when the work ended'
[ ! -e ran ] || fail 'ran beside the work of a killed holdfast'

hold x
kill -KILL "$work"
wait "$holder" && fail 'the death of the command passed for success'
expect_code 0 "$HOLDFAST" lock -n x -- true

# A daemon keeps the descriptor, but not the lock.
expect_code 0 "$HOLDFAST" lock x -- sh -c 'sleep 60 >/dev/null 2>&1 & echo $! >daemon'
expect_code 0 "$HOLDFAST" lock -n x -- true
expect_code 0 "$HOLDFAST" lock x --ttl 5s -- sh -c 'sleep 60 >/dev/null 2>&1 & echo $! >>daemon'
expect_code 0 "$HOLDFAST" lock -n x -- true
while read -r pid; do kill "$pid" || fail 'what was left behind was ended'; done <daemon
