#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The lock of a file whose flock a program keeps: break frees the record and answers 75 until the descriptor closes. That of a
# keeper is free at once.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

: >f
owner --file f
expect_code 0 "$HOLDFAST" locks --file f --json
expect_code 0 "$HOLDFAST" break --file f --id "$(json_field .break_id)" --reason test
expect_code 0 "$HOLDFAST" acquire --file f -n
read -r token <"$stdout"
expect_code 0 "$HOLDFAST" release --file f --token "$token"

mkfifo held go
"$HOLDFAST" lock --file f -- sh -c 'echo >held; read -r _ <go' &
holder=$!
read -r _ <held
expect_code 0 "$HOLDFAST" locks --file f --json
expect_code 75 "$HOLDFAST" break --file f --id "$(json_field .break_id)" --reason test
expect_code 75 "$HOLDFAST" acquire --file f -n
echo >go
wait "$holder" || :
expect_code 0 "$HOLDFAST" acquire --file f -w 5s
