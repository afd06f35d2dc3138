#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An exit status is a claim that the verification decides; who is silent for too long is ended; `logs -f` ends with its
# session and has all of it.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

expect_code 0 "$HOLDFAST" run --name v --verify 'if not exist made exit 1' -- "$cmd" /c 'echo x>made'
expect_code 0 "$HOLDFAST" show v --json
expect_json .verified true
expect_code 76 "$HOLDFAST" run --name v --json --verify 'exit 1' -- "$cmd" /c 'exit 0'
expect_json .state unverified
expect_json .verified false
expect_code 76 "$HOLDFAST" run --name v --json --verify 'exit 69' -- "$cmd" /c 'exit 0'
expect_json .state unverified
expect_code 5 "$HOLDFAST" run --name v --verify 'echo x>asked' -- "$cmd" /c 'exit 5'
[ ! -e asked ] || fail 'what was no success was verified'

waiter silent
expect_code 124 "$HOLDFAST" run --name quiet --idle-timeout 1s --grace 0 --json -- "$cmd" /c silent.cmd
expect_json .code 124
expect_code 0 "$HOLDFAST" show quiet --json
[ "$(json_field .state)" != running ] || fail 'it still runs'

waiter talks
sed -i 's/^ping/echo line %n%\r\nping/' talks.cmd
expect_code 0 "$HOLDFAST" run --detach --name talks -- "$cmd" /c talks.cmd
wait_until test -e talks.up
"$HOLDFAST" logs -f talks >followed 2>&1 &
follower=$!
wait_until grep -q 'line 2' followed
: >talks.go
wait "$follower" || fail "the follower ended with $?"
expect_code 0 "$HOLDFAST" logs talks
cmp followed "$stdout" || fail 'not all of it was followed'
