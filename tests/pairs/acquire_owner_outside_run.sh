#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `acquire` inside a run for an owner outside of it is refused with 64, as the run would end the keeper; inside it works.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

outside=$$
export outside
expect_code 64 "$HOLDFAST" run -- sh -c '"$HOLDFAST" acquire x --owner "$outside" -n'
expect_stderr_contains 'outside of the run'
expect_code 0 "$HOLDFAST" acquire x -n --owner none --ttl 1h
"$HOLDFAST" release x --token "$(cat "$stdout")" >/dev/null

# For the shell of the run, named or not, also from a run inside the run; and it is free with that shell.
expect_code 0 "$HOLDFAST" run -- sh -c '"$HOLDFAST" acquire x -n --owner $$ && "$HOLDFAST" acquire y -n'
expect_code 64 "$HOLDFAST" run -- sh -c '"$HOLDFAST" run -- "$HOLDFAST" acquire x -n --owner $$'
expect_code 0 "$HOLDFAST" acquire x -n
expect_code 0 "$HOLDFAST" acquire y -n
