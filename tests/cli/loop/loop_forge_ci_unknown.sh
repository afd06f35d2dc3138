#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A CI state that nobody knows is not a passed one: nothing is merged until CI says success.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file 's/^attempts = .*/attempts = 20/; s/^items = .*/items = 100/; s/^verify_every = .*/verify_every = "1ms"/'
issue 'It crashes'
CI_PATIENCE=1s
for state in waiting cancelled skipped '' pending failure; do
  lie "{\"ci\": \"$state\"}"
  ticks 1
  expect_item 160 .state waiting
  expect_issue 160 .state open
done
lie '{"status": {"how": "500"}}'
ticks 1
expect_item 160 .state waiting
expect_count 'POST merge' 0
expect_count 'POST pull' 1

CI_PATIENCE=30s
lie '{"ci": "success"}'
ticks 1
expect_item 160 .state 'done'
expect_count 'POST merge' 1
