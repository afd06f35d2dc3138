#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Readers of one lock are together; a writer waits until the last of them has released or ended.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner -s x
first=$token
expect_code 0 "$HOLDFAST" acquire -s x -n
read -r second <"$stdout"
expect_code 0 "$HOLDFAST" locks x --json
expect_json .mode shared
expect_json '.holders | length' 2
expect_code 75 "$HOLDFAST" acquire x -n
expect_code 0 "$HOLDFAST" check x --token "$first"
expect_code 0 "$HOLDFAST" release x --token "$second"
expect_code 75 "$HOLDFAST" acquire x -n
expect_code 77 "$HOLDFAST" release x --token "$second"
end_owner KILL
expect_code 0 "$HOLDFAST" acquire x -w 5s
