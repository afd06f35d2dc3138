#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C ends `follow` as it ends `tail -f`: at once, by the signal.
. "$(dirname -- "$0")/../../lib/lib.sh"
: "${HF_TEST_CHILD:?HF_TEST_CHILD must be the path of hf_test_child}"

# shellcheck disable=SC2016 # expanded by the inner shell
expect_code 130 timeout 60 "$HF_TEST_CHILD" pty c -- sh -c 'echo ready; exec "$1" journal follow' sh "$HOLDFAST"
! grep -q holdfast: "$stdout" || fail 'it said something'
