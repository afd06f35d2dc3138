#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--token` of `acquire --file` fences a change without any environment: while the token holds the file's lock it
# passes, after the release it is 77; a token of another file, or none at all, is no way around.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
owner --file f
expect_code 0 write f --token "$token" --json -- printf one
expect_json .fences 1
echo "$token" >../token
expect_code 0 write f --token @../token -- printf two
expect_code 0 update f --token "$token" --wait 0s -- tr a-z A-Z
expect_file f TWO
expect_code 69 write g --token "$token" --json -- printf x
expect_cause chain-ledger-missing
expect_code 64 write f --token nonsense -- printf x
expect_code 64 write f --token - -- printf x
expect_code 0 "$HOLDFAST" release --file f --token "$token"
expect_code 77 write f --token "$token" --json -- printf late
expect_cause lock-lost
expect_file f TWO
end_owner TERM
