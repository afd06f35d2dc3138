#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One owner at a time, guests beside it, a command is attached while it runs; `resume` runs a recorded order again.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

expect_code 0 "$HOLDFAST" workspace new web --owner none --json
token=$(json_field .token)
expect_code 75 "$HOLDFAST" workspace attach web --owner none
expect_code 77 "$HOLDFAST" workspace detach web --token 0123456789abcdef0123456789abcdef
expect_code 0 "$HOLDFAST" workspace detach web --token "$token"
expect_stdout_is 'left: 0'

expect_code 3 "$HOLDFAST" workspace attach web -- "$cmd" /c 'echo %HOLDFAST_WORKSPACE%& exit 3'
expect_plain_stdout web
expect_code 127 "$HOLDFAST" workspace attach web -- no-such-command
waiter held
"$HOLDFAST" workspace attach web -- "$cmd" /c held.cmd &
holder=$!
wait_until test -e held.up
expect_code 75 "$HOLDFAST" workspace attach web --owner none
expect_code 0 "$HOLDFAST" workspace attach web --guest -- "$cmd" /c 'exit 0'
expect_code 75 "$HOLDFAST" workspace end web
: >held.go
wait "$holder" || fail "the owner ended with $?"
expect_code 0 "$HOLDFAST" workspace get web --json
expect_json .owner null
expect_code 0 "$HOLDFAST" workspace end web

expect_code 66 "$HOLDFAST" resume nobody
expect_code 3 "$HOLDFAST" run --name a --env WORD=hello -- "$cmd" /c 'echo %WORD%>>said& exit 3'
expect_code 3 "$HOLDFAST" resume a
[ "$(grep -c hello said)" -eq 2 ] || fail "it said $(cat said)"
expect_code 0 "$HOLDFAST" show a --run 1 --json
waiter far
expect_code 0 "$HOLDFAST" run --detach --name live -- "$cmd" /c far.cmd
wait_until test -e far.up
expect_code 75 "$HOLDFAST" resume live
: >far.go
expect_code 0 "$HOLDFAST" wait live --timeout 60s
