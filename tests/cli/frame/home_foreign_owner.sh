#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory of another user is never used as home, also by root.
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can make a directory of another user'

mkdir -m 700 theirs && chown 12345 theirs
expect_code 77 "$HOLDFAST" --home theirs doctor --init
expect_stderr_contains 'belongs to another user'
[ -z "$(ls -A theirs)" ] || fail 'something was made in it'
