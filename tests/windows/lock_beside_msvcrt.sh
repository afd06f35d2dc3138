#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that locks byte 0 of the sidecar by msvcrt's _locking and holdfast keep each other out, both ways.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

wine=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$HOLDFAST")
locker() { "$wine" "$(dirname -- "$HOLDFAST_EXE")/msvcrt_locker.exe" "$@"; }
: >data
expect_code 0 "$HOLDFAST" lock --file data -- "$cmd" /c 'exit 0'
[ -e .data.lock ] || fail 'there is no sidecar'

# It holds: we wait, in vain and then with success.
locker .data.lock go >held &
wait_until grep -q held held
expect_code 75 "$HOLDFAST" lock -n --file data -- "$cmd" /c 'echo ran>ran'
[ ! -e ran ] || fail 'ran beside the other program'
expect_code 75 "$HOLDFAST" update data -w 200ms -- "$cmd" /c 'echo new'
: >go
wait
expect_code 0 "$HOLDFAST" lock -w 10 --file data -- "$cmd" /c 'exit 0'

# We hold: it is told so.
waiter held_by_us
"$HOLDFAST" lock --file data -- "$cmd" /c held_by_us.cmd >/dev/null 2>&1 &
wait_until test -e held_by_us.up
rm go
expect_code 75 locker .data.lock go
: >held_by_us.go
wait
: >go
expect_code 0 locker .data.lock go
