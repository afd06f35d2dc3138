#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A deadline of another time namespace means nothing here: the session is not adopted, and nothing is ended for it.
# label: system
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

unshare --time --boottime 1000000 --fork true 2>/dev/null || skip 'no time namespaces can be made here'
orphan a --timeout 1h -- sleep 600
command=$(record a .command.pid)
expect_code 69 unshare --time --boottime 1000000 --fork "$HOLDFAST" adopt a
expect_stderr_contains 'time namespace'
[ -d "/proc/$command" ] || fail 'it was ended'
expect_code 0 "$HOLDFAST" adopt a
expect_code 0 "$HOLDFAST" stop a
