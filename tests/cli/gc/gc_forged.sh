#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What an agent writes into its own record moves, rescues and removes nothing outside of the home.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir precious
echo work >precious/file
ended agent
record=$sessions/agent/harness.json
jq -c --arg dir "$PWD/precious" --argjson inode "$(stat -c %i precious)" --argjson device "$(stat -c %d precious)" \
  '. + {directory: $dir, device: $device, inode: $inode}' <"$record" >forged
cat forged >"$record"

ended honest
expect_code 0 gc --rescue 'echo yes >rescued' --trash-for 0 --json
expect_reason failed agent not-confirmed
expect_reason removed honest ended
{ [ "$(cat precious/file)" = work ] && [ ! -e precious/rescued ]; } || fail 'the record was believed'
expect_code 77 "$HOLDFAST" workspace get agent dir
expect_stderr_contains 'own list does not know'
[ "$(cat precious/file)" = work ] || fail 'it went'
