#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run --detach` answers when the command runs, not when it ends; it can be waited for, read and stopped.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

waiter far
# A command substitution waits for everybody who has its pipe.
answer=$("$HOLDFAST" run --detach --name far --json -- "$cmd" /c far.cmd) || fail "$answer"
[ "$(printf '%s' "$answer" | jq -r .state)" = running ] || fail "$answer"
wait_until test -e far.up
expect_code 75 "$HOLDFAST" wait far --timeout 100ms
: >far.go
expect_code 0 "$HOLDFAST" wait far --timeout 60s
expect_code 0 "$HOLDFAST" show far --json
expect_json .state exited

waiter stopped
expect_code 0 "$HOLDFAST" run --detach --name stopped -- "$cmd" /c stopped.cmd
wait_until test -e stopped.up
expect_code 0 "$HOLDFAST" stop stopped --grace 0 --json
expect_json .outcome killed
expect_code 0 "$HOLDFAST" show stopped --json
expect_json .state killed
expect_code 66 "$HOLDFAST" stop stopped
