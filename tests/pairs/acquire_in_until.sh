#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `until -- acquire x` never leaves a lock behind whose keeper ended with the try: it is refused (64 inside, so `until`
# cannot get its yes), and the lock is free.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

expect_code 69 "$HOLDFAST" until --timeout 2s -- "$HOLDFAST" acquire x
expect_stderr_contains 'exit code 64'
expect_code 0 "$HOLDFAST" lock x --no-wait -- true
