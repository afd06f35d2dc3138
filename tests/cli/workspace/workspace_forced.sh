#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A token that is lost, an answer that nobody got, a directory that is gone.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

# Attached to nobody, and the token is lost.
"$HOLDFAST" workspace new lost --owner none >/dev/null || fail 'workspace new'
expect_code 77 "$HOLDFAST" workspace detach lost
expect_code 0 "$HOLDFAST" workspace detach lost --force
expect_stdout_is 'left: 0'
expect_code 0 "$HOLDFAST" journal query --type workspace.detached
expect_stdout_contains forced
expect_code 77 "$HOLDFAST" workspace detach lost --force
# Who runs is not detached by anybody else's word.
"$HOLDFAST" workspace new held --owner $$ >/dev/null || fail 'workspace new'
expect_code 77 "$HOLDFAST" workspace detach held --force

# Nobody was told of it.
code=0
"$HOLDFAST" workspace new unheard --owner none >/dev/full 2>/dev/null || code=$?
[ "$code" -ne 0 ] || fail 'an answer that nobody got is no failure'
expect_code 0 "$HOLDFAST" workspace get unheard state
expect_stdout_is ended

# Not in its place.
new out --dir "$PWD/out"
mv out elsewhere
expect_code 77 "$HOLDFAST" workspace attach out --owner none
expect_stderr_contains 'holdfast gc'
mv elsewhere out
expect_code 0 "$HOLDFAST" workspace attach out --owner none
# Nor in the directory of another one.
expect_code 77 "$HOLDFAST" workspace new inner --dir "$PWD/out/inner"
expect_stderr_contains "'out'"
