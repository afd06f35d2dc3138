#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A check command gets the new content as "$1", as $HOLDFAST_STAGED and on stdin; only 0 lets it in, its words
# go to stderr, and a check that changes the content is caught.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
printf new >new
for way in 'cat "$1"' 'cat "$HOLDFAST_STAGED"' 'cat'; do
  expect_code 65 write f --check "[ \"\$($way)\" = other ]" --from new
  expect_file f old
  expect_code 0 write f --check "[ \"\$($way)\" = new ] && [ \"\$(cat f)\" = old ]" --from new
  expect_file f new
  printf old >f
done

expect_code 65 write f --json --check 'echo "line 3 is bad"; exit 7' --from new
expect_cause check-failed
expect_stderr_contains 'line 3 is bad'
case $(json_field .error.detail) in *'exited with 7'*) ;; *) fail 'the status is not told' ;; esac
expect_code 69 write f --check 'kill -9 $$' --from new
expect_code 65 write f --timeout 0.2s --check "exec $HF_TEST_CHILD sleep-forever" --from new
expect_stderr_contains 'time'
# The budget is about the caller's time, and not about the content.
expect_code 69 "$HOLDFAST" --budget 300ms write f --check "exec $HF_TEST_CHILD sleep-forever" --from new
expect_stderr_contains 'budget'
expect_file f old
# One that could not be run says nothing about the content.
: >not-executable
for check in no_such_program_here ./not-executable; do
  expect_code 69 write f --json --check "$check" --from new
  expect_cause check-not-run
  expect_file f old
  expect_code 69 "$HOLDFAST" update f --json --check "$check" -- tr a-z A-Z
  expect_cause check-not-run
  expect_file f old
done
rm not-executable .f.hold .f.lock

# By the path and, where somebody finds a way to it, behind stdin.
for meddle in 'printf X >"$1"' 'printf more >>"$1"' ': >"$HOLDFAST_STAGED"'; do
  expect_code 65 write f --json --check "$meddle" --from new
  expect_cause check-changed-it
done
# A process that the check leaves behind cannot do it later either.
expect_code 65 write f --check "(until [ -e late ]; do :; done; printf X >\"\$1\") & exit 1" --from new
expect_file f old
# A check's change of the mode does not get through.
expect_code 0 write f --check 'chmod 0777 "$1"' --from new
expect_mode f 644
expect_only f new
