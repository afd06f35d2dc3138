#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The forge says that it merged, and did not. Fourteen passes: the issue stays open, and is told once that it is not
# done. When the forge is honest again, it gets done.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file 's/^attempts = .*/attempts = 20/; s/^items = .*/items = 100/; s/^failures = .*/failures = 100/'
issue 'It crashes'
lie '{"merge": {"how": "ok-undone"}}'

ticks 14
expect_count 'POST merge' 14
expect_count 'POST pull' 1
expect_count 'POST comment' 1
expect_count 'PATCH issue' 0
expect_issue 160 .state open
expect_issue 160 '.comments | length' 1
expect_pulls 160 open
expect_item 160 .state waiting
expect_item 160 .attempts 14

lie '{}'
ticks 1
expect_item 160 .state 'done'
expect_pulls 160 merged
expect_issue 160 .state closed
expect_count 'POST comment' 1
