#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# While somebody else holds the directory, an append is 75 after --wait, with nothing changed; reading needs no lock.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v flock >/dev/null || skip 'flock(1) is not installed'

mkdir d
expect_code 0 "$HOLDFAST" ledger append d/h.json --data '{"n":1}'
cp d/h.json before
exec 9>d/.hf-stage-lock
flock 9
expect_code 75 "$HOLDFAST" ledger append d/h.json --data '{"n":2}' --wait 0.05
expect_stderr_contains 'd'
cmp -s before d/h.json || fail 'it was changed'
expect_code 0 "$HOLDFAST" ledger last d/h.json
expect_code 0 "$HOLDFAST" ledger check d/h.json
exec 9>&-
expect_code 0 "$HOLDFAST" ledger append d/h.json --data '{"n":2}' --wait 0.05
