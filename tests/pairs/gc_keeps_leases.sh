#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gc keeps the ledger of a lease that no process holds, also when it has run out and nobody took it: its holder can still
# renew it, and nobody else gets the lock of a lease that runs.
. "$(dirname -- "$0")/../lib/lib.sh"

runs=$("$HOLDFAST" acquire --owner none --ttl 1h runs)
over=$("$HOLDFAST" acquire --owner none --ttl 100ms over)
"$HOLDFAST" until --every 10ms -- sh -c '! "$HOLDFAST" check over --token "$1"' until "$over" >/dev/null 2>&1
"$HOLDFAST" lock free -- true
expect_code 0 "$HOLDFAST" gc --trash-for 0s --json
[ ! -e "$HOLDFAST_HOME/locks/free.lock" ] || fail 'a free lock was not retired, so this shows nothing'
expect_code 75 "$HOLDFAST" lock runs --no-wait -- true
expect_code 0 "$HOLDFAST" check runs --token "$runs"
expect_code 0 "$HOLDFAST" renew over --token "$over"
expect_code 0 "$HOLDFAST" check over --token "$over"
