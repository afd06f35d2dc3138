#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who does not show the token of the holder releases nothing, and that is on record.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

wrong=00000000000000000000000000000001
expect_code 66 "$HOLDFAST" release x --token "$wrong"
owner x
expect_code 77 "$HOLDFAST" release x --token "$wrong"
expect_stderr_contains 'not hold'
[ "$(count_events lock.release_refused)" -eq 1 ] || fail 'the attempt is not on record'
expect_code 64 "$HOLDFAST" release x
expect_code 64 "$HOLDFAST" release x --token ''
expect_stderr_contains 'empty'
expect_code 64 "$HOLDFAST" release x --token nonsense
if grep -q nonsense "$stderr"; then fail 'what was typed as a token is shown'; fi
expect_code 0 "$HOLDFAST" check x --token "$token"

expect_code 0 "$HOLDFAST" release x --token "$token"
expect_no_stdout
expect_code 77 "$HOLDFAST" release x --token "$token"
expect_code 66 "$HOLDFAST" release other --token "$token"
if "$HOLDFAST" journal query | grep -q "$token"; then fail 'the token is in the journal'; fi
