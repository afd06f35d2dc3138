#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock on a file system whose locks are not known to hold is refused; it may fail open by that name.
. "$(dirname -- "$0")/../../lib/lib.sh"
odd=/sys/kernel/notes
[ -e "$odd" ] || skip "no $odd"

expect_code 125 "$HOLDFAST" lock --file "$odd" --status-fd 3 -- touch ran 3>status
expect_stderr_contains '--allow-fs'
grep -q '"reason":"unsupported-fs"' status || fail "$(cat status)"
expect_code 125 "$HOLDFAST" lock --file "$odd" --fail-open enolck -- touch ran
[ ! -e ran ] || fail 'ran'
expect_code 0 "$HOLDFAST" lock --file "$odd" --fail-open unsupported-fs -- touch opened
[ -e opened ] || fail 'did not run'
[ "$("$HOLDFAST" journal count --type lock.fail_open)" -eq 1 ] || fail 'not on record'
