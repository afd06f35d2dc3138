#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A shell that is process 1 of a container is taken for the owner of a lock only where it is named: else 64, and nothing is taken.
# label: system
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
unshare -pf --mount-proc true 2>/dev/null || skip 'no pid namespaces can be made here'

"$HOLDFAST" lock make-home -- true
# The second command keeps the shell from becoming the first one.
expect_code 64 unshare -pf --mount-proc sh -c '"$HOLDFAST" acquire x; exit $?'
expect_stderr_contains '--owner $$'
expect_no_stdout
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state free
expect_code 0 unshare -pf --mount-proc sh -c '"$HOLDFAST" acquire x --owner $$ --json; exit $?'
expect_json .owner.pid 1
