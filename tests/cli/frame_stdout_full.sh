#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A stdout that cannot be written is 74 with a sentence, never a silent success.
. "$(dirname -- "$0")/lib.sh"
[ -w /dev/full ] || skip 'no /dev/full'

for words in '--version' '--version --json' 'help' 'help --json' '--help'; do
  code=0
  # shellcheck disable=SC2086 # several words on purpose
  "$HOLDFAST" $words >/dev/full 2>"$stderr" || code=$?
  [ "$code" -eq 74 ] || fail "exit code $code, not 74: $words"
  expect_stderr_contains 'cannot write to stdout'
done
