#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pauses: within one boot the wall clock decides nothing; after another one it does, and if it went backwards the time
# since the boot counts; in a time namespace with a boot clock of its own nothing becomes due.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

attempt() { "$HOLDFAST" attempt k --max 9 --backoff 1h --json -- sh -c 'echo ran >>ran; exit 1'; }
file=$(step_file attempt k)
expect_code 1 attempt
cp "$file" first.json
with() {
  cat first.json >"$file"
  change "$file" "$1"
}
# Set forward, and back.
with '.next.wall = "2000-01-01T00:00:00.000Z"'
expect_code 75 attempt
with '.next.wall = "2200-01-01T00:00:00.000Z"'
expect_code 75 attempt
with '.next.boot_ns = 0 | .next.wall = "2200-01-01T00:00:00.000Z" | .next.wait_ms = 1000'
expect_code 1 attempt

boot='.next.boot = "00112233445566778899aabbccddeeff"'
with "$boot"' | .next.wall = "2000-01-01T00:00:00.000Z"'
expect_code 1 attempt
# Longer than this boot has lasted.
with "$boot"' | .next.wait_ms = 9000000000000'
expect_code 75 attempt
with "$boot"' | .next.boot_ns = 0 | .next.wait_ms = 9000000000000'
expect_code 75 attempt
# The wall clock says that it was in the future: since the boot at least this much has passed.
with "$boot"' | .next.wall = "2200-01-01T00:00:00.000Z" | .next.wait_ms = 1'
expect_code 1 attempt
with "$boot"' | .next.wall = "2200-01-01T00:00:00.000Z" | .next.wait_ms = 9000000000000'
expect_code 75 attempt

cat first.json >"$file"
unshare --time --boottime 100000000 true 2>/dev/null || skip 'no time namespaces can be made here'
code=0
unshare --time --fork --boottime 100000000 "$HOLDFAST" attempt k --max 9 --backoff 1h -- touch due 2>"$stderr" || code=$?
[ "$code" -eq 75 ] || fail "in a time namespace: $code"
[ ! -e due ] || fail 'a shifted clock made it due'
