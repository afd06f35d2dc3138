#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --json prints the one document; the command's own output goes to stderr.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 3 "$HOLDFAST" run --json -- sh -c 'echo said; exit 3'
expect_stderr_contains said
expect_json .ok false
expect_json .code 3
expect_json .state exited
expect_json .exit_code 3
expect_json .signal null
expect_json .containment subreaper
expect_json '[.name, .log, .verified] | unique | .[0]' null
expect_json '.survivors | length' 0
expect_json '.pid > 1' true
expect_json '[.started, .ended] | all(test("^20[0-9-]+T[0-9:]+\\.[0-9]{3}Z$"))' true
expect_code 124 "$HOLDFAST" run --json --timeout 0.1 -- "$HF_TEST_CHILD" sleep-forever
expect_json .state timed_out
