#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Standard input is the command's.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf 'one\ntwo\n' >in
expect_code 0 "$HOLDFAST" run -- cat <in
expect_stdout_is "$(cat in)"
printf 'piped' | expect_code 0 "$HOLDFAST" run -- cat
