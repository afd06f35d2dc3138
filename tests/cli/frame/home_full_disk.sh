#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a full or read-only file system the right code and one sentence, and nothing half made.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=64k,nr_inodes=8 none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'umount small; remove_scratch' EXIT

head -c 65536 /dev/zero >small/fill 2>/dev/null || :
expect_code 74 "$HOLDFAST" --home small/home doctor --init
expect_stderr_contains 'No space left on device'
[ "$(ls -A small)" = fill ] || fail 'something was left behind on the full disk'

rm small/fill
mount -o remount,ro small
expect_code 71 "$HOLDFAST" --home small/home doctor --init
expect_stderr_contains 'Read-only file system'
[ "$(wc -l <"$stderr")" -eq 1 ] || fail 'more than one sentence'
