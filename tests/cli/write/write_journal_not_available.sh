#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without a journal to write to, a write is done all the same (0), and a warning says that it is not on record. An
# update is not: its lock needs the home, and it says so.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf not_a_home >../file
mkdir ../foreign
printf x >../foreign/something
for home in "$scratch/file" "$scratch/file/below" /proc/no/home; do
  rm -f f
  expect_code 0 env HOLDFAST_HOME="$home" "$HOLDFAST" write f -- printf new
  expect_stderr_contains 'not on record'
  expect_file f new
  code=0
  env HOLDFAST_HOME="$home" "$HOLDFAST" update f -- tr a-z A-Z >"$stdout" 2>"$stderr" || code=$?
  case $code in 71 | 77 | 78) ;; *) fail "update without a home: exit code $code" ;; esac
  expect_stderr_contains 'the lock of a file needs the home, and nothing was changed'
  expect_file f new
  expect_code 65 env HOLDFAST_HOME="$home" "$HOLDFAST" write f -- false
  expect_stderr_contains 'nothing was changed'
done
expect_file ../file not_a_home
