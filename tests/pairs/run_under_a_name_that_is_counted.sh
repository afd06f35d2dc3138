#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A plain `run` under the session name of a step or of a loop's item and the real one never run at a time, and the plain
# one is never counted: the step still runs, and the item is put off and then done by its own run.
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/loop.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_world
loop_file 'every = "10ms"'
items one
make_gate

# The step first, then the plain run first.
"$HOLDFAST" once k -- ./gated 2>/dev/null &
step=$!
wait_up
expect_code 75 "$HOLDFAST" run --name once:k -- touch beside
open_gate 0
wait "$step" || fail 'the step failed'
"$HOLDFAST" run --name once:j -- ./gated 2>/dev/null &
plain=$!
wait_up
expect_code 75 "$HOLDFAST" once j -- touch beside
open_gate 0
wait "$plain" || fail 'the plain run failed'
[ ! -e beside ] || fail 'two ran at a time'
expect_code 0 "$HOLDFAST" once j --json -- touch own
expect_json .decision ran
[ -e own ] || fail 'the plain run was counted as the step'

# A run under the name of an item.
"$HOLDFAST" run --name fix-one -- ./gated 2>/dev/null &
plain=$!
wait_up
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item one waiting
[ "$(item one .reason)" = busy ] || fail "the item is $(item one .detail)"
expect_times 0 'run one'
open_gate 0
wait "$plain" || fail 'the plain run failed'
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item one 'done'
expect_times 1 'run one'
[ "$(item one .attempts)" -eq 1 ] || fail 'the plain run cost an attempt'
