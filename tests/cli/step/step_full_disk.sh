#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A full disk: nothing is let go without its intent on record (125); a run whose end cannot be counted is counted by the
# next call, from its session.
# label: system
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=1m none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'umount small; remove_scratch' EXIT
HOLDFAST_HOME=$PWD/small/home

"$HOLDFAST" once first -- true
fill() { head -c 2000000 /dev/zero >small/fill 2>/dev/null || :; }
fill
expect_code 125 "$HOLDFAST" once k -- touch ran
expect_stderr_contains 'No space left on device'
[ ! -e ran ] || fail 'it ran without an intent on record'
expect_code 0 "$HOLDFAST" once first --json -- touch ran
expect_json .decision skipped
rm small/fill
expect_code 5 "$HOLDFAST" attempt k --max 1 -- sh -c 'head -c 2000000 /dev/zero >small/fill 2>/dev/null; exit 5'
expect_code 0 "$HOLDFAST" step show --kind attempt k --json
expect_json .attempts 1
rm small/fill
expect_code 77 "$HOLDFAST" attempt k --max 1 --json -- touch ran
expect_json .attempts 1
expect_code 0 "$HOLDFAST" step show --kind attempt k --json
expect_json .runs 1
expect_json .claimed null
[ ! -e ran ] || fail 'an attempt was not counted'
