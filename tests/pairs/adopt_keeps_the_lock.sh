#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The locks of --lock stay with the command when its supervisor is killed, through each adoption, and go with the command;
# nobody else is granted one meanwhile.
. "$(dirname -- "$0")/../cli/run_session.inc"
. "$(dirname -- "$0")/../cli/orphans.inc"
. "$(dirname -- "$0")/../cli/lib.sh"

expect_held() {
  for lock in x y; do
    expect_code 75 "$HOLDFAST" lock -n "$lock" -- touch ran
    expect_code 75 "$HOLDFAST" lock -n -s "$lock" -- touch ran
  done
}
orphan a --lock x --lock y -- sleep 600
expect_held
expect_code 0 "$HOLDFAST" adopt a
expect_held
kill -s KILL "$(record a .supervisor.pid)"
"$HOLDFAST" wait a --until orphaned
expect_held
expect_code 0 "$HOLDFAST" adopt a
expect_held
kill -s KILL "$(record a .command.pid)"
wait_for_end a
for lock in x y; do expect_code 0 "$HOLDFAST" lock -w 30s "$lock" -- true; done
[ ! -e ran ] || fail 'ran beside the command'
