#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The lock of a file and a plain flock of its sidecar exclude each other; release ends the keeper, and the flock is free.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

command -v flock >/dev/null || skip 'there is no flock(1)'
: >f
owner --file f
expect_code 1 flock -n .f.lock true
expect_code 0 "$HOLDFAST" check --file ./f --token "$token"
expect_code 0 "$HOLDFAST" release --file f --token "$token"
expect_code 0 flock -n .f.lock true
[ ! -s .f.lock ] || fail 'the sidecar was written'
expect_code 75 flock .f.lock "$HOLDFAST" acquire --file f -n
expect_code 66 "$HOLDFAST" release --file nowhere/f --token "$token"
