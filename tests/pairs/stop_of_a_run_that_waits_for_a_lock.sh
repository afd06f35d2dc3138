#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session that waits for a lock is stopped at once, and its command never runs, also when the lock becomes free.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo held go
"$HOLDFAST" lock L -- sh -c 'echo >held; read -r _ <go' &
holder=$!
read -r _ <held
"$HOLDFAST" run --name w --lock L --wait 1h -- touch ran >/dev/null 2>"$scratch/words" &
run=$!
until [ -e "$HOLDFAST_HOME/sessions/w/session.json" ]; do kill -0 "$run" || fail 'it does not wait'; done
expect_code 0 "$HOLDFAST" stop w
code=0
wait "$run" || code=$?
[ "$code" -ne 0 ] || fail 'a run that was stopped before it began exits with 0'
expect_record w .state failed
expect_record w .reason stopped
case $(record w .asked.by) in 'stop, process '*) ;; *) fail "who asked: $(record w .asked)" ;; esac
echo >go
wait "$holder"
expect_code 0 "$HOLDFAST" lock L -- true
[ ! -e ran ] || fail 'it ran'
