#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A typed --lock replaces all locks of a profile, --env one variable, --timeout its deadline; a shell line cannot be added
# to (64), and an unset variable is 78; nothing was done then.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
export HOLDFAST

cat >holdfast.toml <<'X'
[session.agent]
command = "echo $A $B; $HOLDFAST locks -q --json | jq -r '[.locks[].name] | join(\" \")'"
lock = ["one", "two"]
env = { A = "a", B = "${HOME}/b" }
timeout = "1h"
[session.unset]
command = ["touch", "ran"]
env = { A = "${NOBODY_SETS_THIS}" }
[[session.unset.ensure]]
path = "made"
type = "dir"
X
expect_code 0 "$HOLDFAST" run --profile agent
expect_stdout_is "a $HOME/b
one session:agent two"
expect_code 0 "$HOLDFAST" run --profile agent --lock three --env A=mine --timeout 1m
expect_stdout_is "mine $HOME/b
session:agent three"
expect_record agent .order.timeout_ms 60000
expect_code 64 "$HOLDFAST" run --profile agent -- more
expect_stderr_contains 'line for the shell'
expect_record agent .number 2
expect_code 78 "$HOLDFAST" run --profile unset
expect_stderr_contains NOBODY_SETS_THIS
{ [ ! -e ran ] && [ ! -e made ]; } || fail 'something was done'
