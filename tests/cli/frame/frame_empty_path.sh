#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An empty path, as from an unset variable in quotes, is a usage error and nothing else happens.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" doctor ''
expect_stderr_contains "the argument PATH '': a path is never empty"
expect_code 64 "$HOLDFAST" --json doctor . -- ''
expect_json .error.cause bad-value
expect_code 64 "$HOLDFAST" --home '' doctor --init
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'
