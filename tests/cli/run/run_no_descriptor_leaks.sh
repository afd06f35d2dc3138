#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command gets the caller's descriptors and none of holdfast's.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HF_TEST_CHILD" print-fds
cp "$stdout" without
expect_code 0 "$HOLDFAST" run --timeout 10 -- "$HF_TEST_CHILD" print-fds
cmp without "$stdout" || fail 'a descriptor more or less'
# One of the caller's own passes, the one of --status-fd does not.
expect_code 0 "$HOLDFAST" run --status-fd 8 -- "$HF_TEST_CHILD" print-fds 7>seven 8>eight
grep -qx 7 "$stdout" || fail 'the caller'"'"'s descriptor 7 is missing'
! grep -qx 8 "$stdout" || fail 'descriptor 8 leaked'
