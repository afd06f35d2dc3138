#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A supervisor that is stopped while its FIFO is full of requests: `stop` wakes it, asks again, and ends the session. One
# that may not be woken is waited for, and then said to read nothing (69), not called busy at once.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

supervisors=
# shellcheck disable=SC2086 # numbers
trap 'kill -s CONT $supervisors 2>/dev/null || :; "$HOLDFAST" stop full asleep --grace 0 >/dev/null 2>&1 || :; remove_scratch' EXIT
# fill NAME: its supervisor stopped, and its FIFO without room for another request.
fill() {
  supervisors="$supervisors $(record "$1" .supervisor.pid)"
  kill -s STOP "$(record "$1" .supervisor.pid)"
  # What a writer that does not wait gets into it; the reader that keeps it open is the supervisor.
  dd if=/dev/zero bs=4096 count=64 oflag=nonblock of="$HOLDFAST_HOME/sessions/$1/control" conv=notrunc 2>/dev/null || :
  dd if=/dev/zero bs=1 count=4096 oflag=nonblock of="$HOLDFAST_HOME/sessions/$1/control" conv=notrunc 2>/dev/null || :
}
expect_code 0 "$HOLDFAST" run --detach --name full -- sleep 600
fill full
expect_code 0 "$HOLDFAST" stop full --grace 1s --json
expect_json '.outcome // .sessions[0].outcome' killed
expect_record full .state killed

# Without its ledger, nothing but the record says that this process is the supervisor: it gets no signal.
expect_code 0 "$HOLDFAST" run --detach --name asleep -- sleep 600
supervisor=$(record asleep .supervisor.pid)
fill asleep
mv "$HOLDFAST_HOME"/locks/session*asleep.lock ledger
expect_code 69 "$HOLDFAST" stop asleep --wait 1500ms --json
expect_json .evidence nobody-listens
expect_stdout_contains 'reads no request'
mv ledger "$HOLDFAST_HOME/locks/session%3Aasleep.lock"
kill -s CONT "$supervisor"
expect_code 0 "$HOLDFAST" stop asleep --grace 0
