#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run` passes the command's own code, tells its own from it, and ends a command that takes too long with 124.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

for own in 0 1 3 64 75 124 255; do
  expect_code "$own" "$HOLDFAST" run -- "$cmd" /c "exit $own"
  expect_no_stdout
  expect_no_stderr
done
expect_code 0 "$HOLDFAST" run -- "$cmd" /c 'echo hello'
expect_plain_stdout hello
echo typed | expect_code 0 "$HOLDFAST" run -- "$cmd" /c 'more'
grep -q typed "$stdout" || fail 'stdin did not reach the command'

expect_code 127 "$HOLDFAST" run -- no-such-command-anywhere
expect_stderr_contains "cannot run 'no-such-command-anywhere'"
expect_code 127 "$HOLDFAST" run --json -- ./absent.exe
expect_json .state failed
expect_json .pid null

waiter slow
expect_code 124 "$HOLDFAST" run --timeout 2s --grace 0 --json -- "$cmd" /c slow.cmd
expect_json .state timed_out
expect_json .code 124
[ -e slow.up ] || fail 'the command never ran'
expect_code 64 "$HOLDFAST" run --timeout 2s
