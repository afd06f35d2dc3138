#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock whose holder is dead and has left its record is stale: shown as such, and granted to the next one.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x
keeper=$(keepers)
kill -s KILL "$keeper"
wait_gone "$keeper"
end_owner KILL
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state stale
expect_json .holder.pid "$owner"
expect_code 0 "$HOLDFAST" locks
expect_stdout_contains stale
expect_code 0 "$HOLDFAST" acquire x -n --json
expect_json .cause dead
