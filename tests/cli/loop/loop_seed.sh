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

# The same with a budget of attempts: a notice of the trouble, and one that it is given up.
loop_file 'name = "short"' 'attempts = 3' 'backoff = ["0s"]'
: >story
tick=0
while [ "$tick" -lt 14 ]; do
  expect_code 0 "$HOLDFAST" loop fix.toml --once
  tick=$((tick + 1))
done
expect_times 3 'run 160'
expect_times 2 'tell 160'
grep -q 'given up after 3 attempts' told.160 || fail "told: $(cat told.160)"
expect_times 0 'close 160'
expect_item 160 gave_up

# Also where a person let it try again within the cool-down.
expect_code 0 "$HOLDFAST" loop retry fix.toml 160
for _ in 1 2 3 4 5; do
  expect_code 0 "$HOLDFAST" loop fix.toml --once
done
expect_item 160 gave_up
expect_times 3 'tell 160'
