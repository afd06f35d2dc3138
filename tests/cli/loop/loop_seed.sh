#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The merge says ok, the request stays open, fourteen ticks: one notice, an open item, nothing closed.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file 'attempts = 99' 'backoff = ["0s"]'
items 160
touch lying.160
tick=0
while [ "$tick" -lt 14 ]; do
  expect_code 0 "$HOLDFAST" loop fix.toml --once
  tick=$((tick + 1))
done
expect_times 14 'run 160'
expect_times 14 'verify 160 no'
expect_times 1 'tell 160'
expect_times 0 'close 160'
expect_item 160 waiting
[ "$(item 160 .notices_held_back)" -eq 13 ] || fail "held back: $(item 160 .notices_held_back)"

# The same with a budget of attempts: it is given up, and that is no second notice of the same.
loop_file 'name = "short"' 'attempts = 3' 'backoff = ["0s"]'
: >story
tick=0
while [ "$tick" -lt 14 ]; do
  expect_code 0 "$HOLDFAST" loop fix.toml --once
  tick=$((tick + 1))
done
expect_times 3 'run 160'
expect_times 1 'tell 160'
expect_times 0 'close 160'
expect_item 160 gave_up
