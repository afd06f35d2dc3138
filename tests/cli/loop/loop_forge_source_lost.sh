#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A list of issues that could not be had, or only in part, starts nothing and forgets nothing: 69.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file 's/^source = .*/&\nsource_timeout = "2s"/'
issue 'It crashes'
ticks 1
expect_item 160 .state 'done'
issue 'It hangs'
for lie in '"how": "500"' '"how": "cut"' '"how": "silent"' '"how": "html"' '"how": "slow", "seconds": 30'; do
  lie "{\"list\": {$lie}}"
  expect_code 69 "$HOLDFAST" loop loop.toml --once
  expect_item 160 .state 'done'
  expect_pulls 161 ''
done
expect_count 'POST pull' 1
lie '{}'
ticks 1
expect_item 161 .state 'done'
