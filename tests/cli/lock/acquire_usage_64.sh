#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What makes no sense is refused before anything is made.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

expect_code 64 "$HOLDFAST" acquire
expect_code 64 "$HOLDFAST" acquire x --file f
expect_code 64 "$HOLDFAST" acquire x --owner none
expect_stderr_contains '--ttl'
expect_code 64 "$HOLDFAST" acquire x --owner 0
expect_code 64 "$HOLDFAST" acquire x --owner me
expect_code 64 "$HOLDFAST" acquire x --auto-renew
expect_code 64 "$HOLDFAST" acquire x --auto-renew --ttl 1m --owner none
expect_code 64 "$HOLDFAST" acquire x -s --ttl 1m
expect_code 64 "$HOLDFAST" acquire x -w soon
expect_code 64 "$HOLDFAST" release x y
expect_code 64 "$HOLDFAST" break x --id 1
expect_stderr_contains '--reason'
expect_code 64 "$HOLDFAST" break x --reason why
expect_code 64 "$HOLDFAST" locks x --all
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'
: >f
expect_code 64 "$HOLDFAST" acquire --file f --owner none --ttl 1m
sh -c : &
gone=$!
wait "$gone"
expect_code 64 "$HOLDFAST" acquire x --owner "$gone"
