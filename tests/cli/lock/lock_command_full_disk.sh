#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a full, read-only or forbidden home the command does not run, whatever may fail open, because nothing can be put
# on record there; the lock of a file on such a disk may fail open, on record in the home.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=64k,nr_inodes=12 none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'umount small; remove_scratch' EXIT
: >small/f
head -c 65536 /dev/zero >small/fill 2>/dev/null || :

expect_code 125 "$HOLDFAST" --home small/home lock x --fail-open enospc -- touch ran
expect_stderr_contains 'No space left on device'
expect_stderr_contains 'could not be recorded'
expect_code 125 "$HOLDFAST" lock --file small/f -- touch ran
[ ! -e ran ] || fail 'ran'
expect_code 0 "$HOLDFAST" lock --file small/f --fail-open enospc -- touch opened
[ -e opened ] || fail 'did not run'
expect_stderr_contains WITHOUT

rm small/fill
mount -o remount,ro small
expect_code 125 "$HOLDFAST" --home small/home lock x --fail-open erofs -- touch ran
expect_code 125 "$HOLDFAST" lock --file small/f --fail-open enospc -- touch ran
[ ! -e ran ] || fail 'ran'
expect_code 0 "$HOLDFAST" lock --file small/f --fail-open erofs -- true
[ "$("$HOLDFAST" journal count --type lock.fail_open)" -eq 2 ] || fail 'not each opening is on record'
