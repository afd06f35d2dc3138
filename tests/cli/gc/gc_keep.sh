#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --keep spares the newest of the dead ones, --max-age the young ones of them.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

for i in 1 2 3; do ended "s-$i"; done
new live
expect_code 0 gc --max-age 1h --json
expect_reason kept s-1 not-old-enough
expect_code 0 gc --keep 2 --json
expect_reason removed s-1 ended
expect_reason kept s-2 kept-newest
expect_reason kept s-3 kept-newest
[ -d "$sessions/live" ] || fail 'a live one went'
