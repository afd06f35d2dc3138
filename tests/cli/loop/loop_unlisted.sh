#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An item that the source does not list any more is not begun, not by `loop retry` either, and what is done stays done
# until it has been away for `keep`; then it is new.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
pass() { expect_code 0 "$HOLDFAST" loop fix.toml --once; }
loop_file 'attempts = 1'
touch sick.bad
items good bad
pass
expect_item good 'done'
expect_item bad gave_up

items
rm sick.bad
expect_code 0 "$HOLDFAST" loop retry fix.toml bad
pass
expect_item bad waiting
expect_times 1 'run bad'
items good bad
pass
expect_item bad 'done'
expect_times 2 'run bad'
expect_times 1 'run good'

# Away for longer than `keep`: forgotten, and new when it comes back.
items bad
pass
expect_item good 'done'
echo 'keep = "1ms"' >>fix.toml
pass
expect_code 66 "$HOLDFAST" loop status fix.toml good
items good bad
pass
expect_times 2 'run good'
expect_times 2 'run bad'
