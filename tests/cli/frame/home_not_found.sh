#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without any home the answer is 78; a relative variable is refused; a missing parent is not made up.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 78 env -u HOME -u HOLDFAST_HOME "$HOLDFAST" doctor
expect_stderr_contains 'HOLDFAST_HOME'
expect_code 78 env HOLDFAST_HOME=state "$HOLDFAST" doctor
expect_stderr_contains 'relative'
expect_code 78 env HOLDFAST_HOME= "$HOLDFAST" doctor
expect_stderr_contains 'set but empty'
expect_code 66 env HOLDFAST_HOME="$scratch/no/such/place" "$HOLDFAST" doctor
expect_stdout_contains "$scratch/no/such does not exist"
expect_code 66 env HOLDFAST_HOME="$scratch/no/such/place" "$HOLDFAST" doctor --init
expect_stderr_contains "$scratch/no/such does not exist"
[ ! -e "$scratch/no" ] || fail 'parents of a typed home were made'

expect_code 0 env -u HOLDFAST_HOME "$HOLDFAST" doctor --init
[ -f "$scratch/.local/state/holdfast/format" ] || fail 'the default home was not made'
expect_code 0 env -u HOME -u HOLDFAST_HOME "$HOLDFAST" --version
