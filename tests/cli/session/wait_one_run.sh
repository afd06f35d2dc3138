#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `wait` waits for the run that it found, also where it sleeps through the end of that one and the begin of the next.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/lock_command.inc" # wait_until
waiter=''
trap 'kill -s KILL $waiter 2>/dev/null || :; "$HOLDFAST" stop x --grace 0 >/dev/null 2>&1 || :; remove_scratch' EXIT

mkfifo first second
watches() { grep -q '^inotify wd' "/proc/$waiter"/fdinfo/* && grep -q '^State:.*S' "/proc/$waiter/status"; }
"$HOLDFAST" run --detach --name x -- sh -c 'read -r word <first; exit 3' >/dev/null
"$HOLDFAST" wait x &
waiter=$!
wait_until watches
kill -s STOP "$waiter"
echo go >first
expect_code 3 "$HOLDFAST" wait x
"$HOLDFAST" run --detach --name x -- sh -c 'read -r word <second; exit 4' >/dev/null
kill -s CONT "$waiter"
wait_until gone "$waiter"
code=0
wait "$waiter" || code=$?
waiter=''
[ "$code" -eq 3 ] || fail "the code of another run: $code"

# Where the record of that run is gone meanwhile, nobody knows.
"$HOLDFAST" wait x &
waiter=$!
wait_until watches
kill -s STOP "$waiter"
echo go >second
expect_code 4 "$HOLDFAST" wait x
"$HOLDFAST" run --name x -- true
rm -r "$HOLDFAST_HOME"/sessions/x/runs/*
kill -s CONT "$waiter"
wait_until gone "$waiter"
code=0
wait "$waiter" || code=$?
waiter=''
[ "$code" -eq 69 ] || fail "a run that is not on record: $code"
