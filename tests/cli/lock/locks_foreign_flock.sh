#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A plain flock of the sidecar is shown as the holder, with the number that the kernel knows.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

command -v flock >/dev/null || skip 'there is no flock(1)'
: >f
expect_code 0 "$HOLDFAST" locks --file f --json
expect_json .state free
mkfifo held go
sh -c 'exec 9>.f.lock; flock 9; echo >held; read -r _ <go' &
holder=$!
read -r _ <held
expect_code 0 "$HOLDFAST" locks --file f --json
expect_json .state held
expect_json .evidence foreign
expect_json .holder.foreign true
expect_json .name "file:$scratch/work/f"
[ "$(json_field .holder.pid)" -gt 1 ] || fail 'no pid'
expect_code 75 "$HOLDFAST" acquire --file f -n
expect_stderr_contains 'not holdfast'
echo >go
wait "$holder"
expect_code 0 "$HOLDFAST" acquire --file f -n
