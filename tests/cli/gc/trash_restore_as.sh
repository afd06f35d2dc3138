#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What comes back under another name is whole: its run, the runs before it and its series can be read.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

expect_code 0 "$HOLDFAST" run --name old --iterations 2 -- sh -c 'echo "iteration $HOLDFAST_ITERATION"'
expect_code 0 gc --runs --json
expect_reason removed old run-ended
expect_code 0 "$HOLDFAST" trash restore old --as new
expect_code 0 "$HOLDFAST" show new
expect_code 0 "$HOLDFAST" show new --run 1
expect_code 0 "$HOLDFAST" logs new --run 1
expect_stdout_is 'iteration 1'
expect_code 66 "$HOLDFAST" show old
# The series is known as over, and begins anew.
expect_code 0 "$HOLDFAST" run --name new --iterations 1 --json -- true
expect_json .done 1
# A run that could not be read before keeps nothing from coming back.
echo damaged >"$sessions/new/runs/1/session.json"
expect_code 0 gc --runs
expect_code 0 "$HOLDFAST" trash restore new --as newer
expect_code 0 "$HOLDFAST" show newer --run 2
