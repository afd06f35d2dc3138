#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An item of a loop takes the loop's locks itself: under a hold of the loop's caller it is put off.
. "$(dirname -- "$0")/../lib/loop.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_world
items one
loop_file 'lock = ["x"]'

expect_code 0 "$HOLDFAST" lock x -- "$HOLDFAST" loop fix.toml --once
if grep -q '^run ' story; then fail 'it ran under a hold that could end before it'; fi
expect_item one waiting
