#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock whose token nobody could read does not stay held: stdout is full, or its reader is gone.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

[ -e /dev/full ] || skip 'there is no /dev/full'
code=0
"$HOLDFAST" acquire x >/dev/full 2>"$stderr" || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74"
[ -z "$(keepers)" ] || fail 'a keeper is left'
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state free
code=0
"$HOLDFAST" acquire y --owner none --ttl 1h >/dev/full 2>"$stderr" || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74"
expect_code 0 "$HOLDFAST" acquire y -n
