#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The name of a run is taken until the command of --on-end has ended, so that it never cleans up what the next run made.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go
expect_code 0 "$HOLDFAST" run --detach --name m --on-end 'read -r _ <go; echo first >>order' -- true
expect_code 0 "$HOLDFAST" wait m
expect_code 0 "$HOLDFAST" locks
expect_stdout_contains session:m
"$HOLDFAST" run --name m -- sh -c 'echo second >>order' </dev/null >"$stdout" 2>"$stderr" &
second=$!
echo >go
wait "$second" || fail "the next run did not wait: $(cat "$stderr")"
[ "$(tr '\n' ' ' <order)" = 'first second ' ] || fail "the order was: $(cat order)"

# Whoever cannot wait longer is told why.
rm order
expect_code 0 "$HOLDFAST" run --detach --name n --on-end 'read -r _ <go; echo first >>order' -- true
expect_code 0 "$HOLDFAST" wait n
expect_code 75 "$HOLDFAST" --budget 1s run --name n -- true
expect_stderr_contains "the last run's --on-end, --on-failure or --on-success command has not ended yet"
echo >go
