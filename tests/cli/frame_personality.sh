#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The name of the program decides: called `flock`, it never reads its words as holdfast commands; any
# other name is holdfast.
. "$(dirname -- "$0")/lib.sh"

ln -s "$HOLDFAST" flock
code=0
./flock --version >"$stdout" 2>"$stderr" || code=$?
[ "$(cat "$stdout")" != "$("$HOLDFAST" --version)" ] || fail 'flock behaves as holdfast'
if [ "$code" -eq 64 ]; then
  expect_stderr_contains 'cannot act as flock'
  expect_code 64 ./flock file touch ran
  [ ! -e ran ] || fail 'ran a command without a lock'
fi

ln -s "$HOLDFAST" hf
expect_code 0 ./hf --version
expect_stdout_contains 'holdfast '
