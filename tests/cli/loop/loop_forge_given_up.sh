#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# After its last attempt an issue is given back to people, once, and left alone until somebody says `retry`.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file ''
issue 'It crashes'
lie '{"merge": {"how": "ok-undone"}}'

ticks 6
expect_count 'POST merge' 3
expect_count 'POST comment' 2 # that it fails, and that it is given up
expect_count 'PATCH issue' 1
expect_issue 160 .state open
expect_issue 160 '.labels | join(" ")' State/Question
expect_item 160 .state gave_up

lie '{}'
curl -sSf -X PATCH --json '{"labels": ["State/Ready"]}' -o "$scratch/label" "$FORGE_URL/issues/160"
ticks 1
expect_item 160 .state gave_up
expect_code 0 "$HOLDFAST" loop retry loop.toml 160
ticks 1
expect_item 160 .state 'done'
expect_issue 160 .state closed
