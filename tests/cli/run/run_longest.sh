#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The longest duration that can be typed makes a record that can be read.
. "$(dirname -- "$0")/../../lib/lib.sh"
longest=106751d23h47m16.854775807s

expect_code 0 "$HOLDFAST" run --name x --timeout "$longest" --idle-timeout "$longest" --verify true --verify-timeout "$longest" -- true
expect_code 0 "$HOLDFAST" show x
"$HOLDFAST" run --name z --timeout "$longest" -- sleep 1000 &
until "$HOLDFAST" wait z --until running 2>/dev/null; do :; done
expect_code 0 "$HOLDFAST" stop z --grace 0
wait
expect_code 0 "$HOLDFAST" workspace new s --owner none --ttl "$longest"
expect_code 0 "$HOLDFAST" workspace get s state
expect_code 0 "$HOLDFAST" gc --grace 0
