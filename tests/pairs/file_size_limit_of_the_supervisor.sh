#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A log that meets the limit of file sizes is the supervisor's own trouble: the command is not killed for it, and what is
# not in the log is told.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

# 40 blocks of 512 bytes: room for the records of the session.
(
  ulimit -f 40
  expect_code 3 "$HOLDFAST" run --name big -- sh -c 'yes | head -c 200000; exit 3'
)
expect_record big .state exited
expect_record big .exit_code 3
[ "$(record big .log_lost)" -gt 0 ] || fail 'nothing was lost: the limit was not met'
[ "$("$HOLDFAST" journal count --type session.log_lost)" -eq 1 ] || fail 'the journal does not tell'
