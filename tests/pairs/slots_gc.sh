#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gc retires the ledgers of slots like those of other locks: idle ones go, a held one stays, and a lock of another number
# of slots then begins anew.
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 0 "$HOLDFAST" lock --slots 3 gpu -- sh -c '"$HOLDFAST" acquire --slots 3 gpu --owner none --ttl 1h >token'
expect_code 0 "$HOLDFAST" gc --trash-for 0s
[ "$(cd "$HOLDFAST_HOME/locks" && echo gpu*)" = 'gpu%2F2of3.lock' ] || fail "left: $(ls "$HOLDFAST_HOME/locks")"
expect_code 64 "$HOLDFAST" lock --slots 2 gpu -- true
expect_code 0 "$HOLDFAST" release gpu --slots 3 --token @token
expect_code 0 "$HOLDFAST" gc --trash-for 0s
expect_code 0 "$HOLDFAST" lock --slots 2 gpu -- true
