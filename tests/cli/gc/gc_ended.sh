#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What its harness ended goes to the trash; what is young, attached or vouched for by nobody stays.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

ended over
new quiet
expect_code 0 "$HOLDFAST" workspace new busy

expect_code 0 "$HOLDFAST" gc --json
expect_reason kept over young
expect_code 0 gc --json
expect_reason removed over ended
expect_reason kept quiet no-authority
expect_reason kept busy attached
[ ! -e "$sessions/over" ] || fail 'it is still there'
{ [ -d "$sessions/busy" ] && [ -d "$sessions/quiet" ]; } || fail 'a live one went'

# The journal knows the whole list before the first goes, and the proof of each.
expect_code 0 "$HOLDFAST" journal query --type 'gc.*'
sed -n '1p' "$stdout" | grep -q gc.planned || fail 'gc.planned is not the first'
expect_stdout_contains '"reason":"ended"'

# A ttl that has passed is an end, too.
new brief --ttl 1m
sed -i -e 's/\("renewed":{[^}]*"boot_ns":\)[0-9]*/\11/' -e 's/"ttl_ms":[0-9]*/"ttl_ms":1/' "$sessions/brief/harness.json"
expect_code 0 gc --json
expect_reason removed brief ttl-passed
