#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where the supervisor itself is killed, nobody knows how the command ends: 69, state `lost`.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

"$HOLDFAST" run --json -- "$HF_TEST_CHILD" sleep-forever >"$stdout" 2>"$stderr" &
front=$!
wait_for_line "$stderr" ready
command=$(sed -n 's/^ready //p' "$stderr")
shim=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$command/status")
[ "$shim" -ne "$front" ] || fail 'the command is a child of the front end'
kill -s KILL "$shim"
code=0
wait "$front" || code=$?
kill -s KILL "$command" || fail 'the command is not alive: the answer could have been known'
[ "$code" -eq 69 ] || fail "exit code $code, not 69"
expect_json .state lost
expect_json .code 69
expect_json .exit_code null
expect_json .signal null
expect_json .error.cause supervisor-gone
expect_stdout_contains 'may still run'
