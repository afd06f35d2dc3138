#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Of one name only one runs: the second answers 75 and starts nothing; of thirty at once one gets it; after the end
# the name is free at once.
# label: system
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go
expect_code 0 "$HOLDFAST" run --detach --name one -- sh -c 'read -r _ <go'
expect_stdout_is one
expect_code 75 "$HOLDFAST" run --name one -- touch second
expect_stderr_contains "it runs as process $(record one .command.pid)"
expect_code 75 "$HOLDFAST" run --json --detach --name one -- touch second
expect_json .error.cause session-live
[ ! -e second ] || fail 'a second one ran'
# Who only has the lock of the name is not said to be the run.
T=$("$HOLDFAST" acquire session:held --owner $$)
expect_code 75 "$HOLDFAST" run --name held -- touch second
expect_stderr_contains 'holds the lock of its name'
if grep -q 'runs as' "$stderr"; then fail 'nothing runs'; fi
expect_code 0 "$HOLDFAST" release session:held --token "$T"
echo >go
wait_for_end one
expect_code 0 "$HOLDFAST" run --name one -- true
expect_record one .number 2

: >ran
: >codes
i=0
while [ "$i" -lt 30 ]; do
  "$HOLDFAST" run --name crowd -- sh -c 'echo in >>ran; read -r _ <go' >/dev/null 2>>codes &
  i=$((i + 1))
done
# The one that has it waits for the gate; the others have been answered when it is open.
i=0
while [ "$(grep -c 'cannot run a session as' codes)" -lt 29 ]; do
  i=$((i + 1))
  [ "$i" -lt 600 ] || fail 'not everybody was answered'
  sleep 0.1
done
echo >go
wait
[ "$(wc -l <ran)" -eq 1 ] || fail 'more than one ran'
