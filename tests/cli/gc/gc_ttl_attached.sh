#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The ttl of a session does not run while somebody is attached or runs in it; after a crash it runs from the first gc
# that finds nobody.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

# long_ago NAME TTL_MS: as if its last sign of life was at boot.
long_ago() {
  sed -i -e 's/\("renewed":{[^}]*"boot_ns":\)[0-9]*/\11/' -e "s/\"ttl_ms\":[0-9]*/\"ttl_ms\":$2/" "$sessions/$1/harness.json"
}
sleep 1000 &
owner=$!
trap 'kill -s KILL "$owner" 2>/dev/null || :; remove_scratch' EXIT
"$HOLDFAST" workspace new crash --ttl 1m --owner "$owner" >/dev/null
new worked --ttl 1h
expect_code 0 "$HOLDFAST" run --name worked -- true
long_ago crash 1
long_ago worked 3600000
expect_code 0 gc --json
expect_reason kept crash attached
expect_reason kept worked ttl-left

kill -s KILL "$owner"
wait "$owner" || :
expect_code 0 gc --json
expect_reason kept crash ttl-left
# From here on it runs.
expect_code 0 gc --json
expect_reason removed crash ttl-passed
