#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# HOLDFAST_TOKEN fences a change of the file that HOLDFAST_LOCK names, as `--token` does: it passes while the token holds
# the file's lock, and is 77 afterwards. It says nothing about another file.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
printf other >g
owner --file f
HOLDFAST_LOCK=file:$PWD/f
HOLDFAST_TOKEN=$token
export HOLDFAST_LOCK HOLDFAST_TOKEN
expect_code 0 write f --json -- printf one
expect_json .fences 1
expect_code 0 update f --wait 0s -- tr a-z A-Z
expect_file f ONE
expect_code 0 write g --json -- printf two
expect_json .fences 0
expect_code 0 "$HOLDFAST" release --file f
expect_code 77 write f --json -- printf late
expect_cause lock-lost
expect_code 77 update f --json -- printf late
expect_file f ONE
HOLDFAST_TOKEN=nonsense
expect_code 64 write f -- printf late
end_owner TERM
