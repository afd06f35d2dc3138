#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A stdout that cannot be written is 74 with a sentence, never a silent success.
. "$(dirname -- "$0")/../../lib/lib.sh"
[ -w /dev/full ] || skip 'no /dev/full'

for words in '--version' '--version --json' 'help' 'help --json' '--help'; do
  code=0
  # shellcheck disable=SC2086 # several words on purpose
  "$HOLDFAST" $words >/dev/full 2>"$stderr" || code=$?
  [ "$code" -eq 74 ] || fail "exit code $code, not 74: $words"
  expect_stderr_contains 'cannot write to stdout'
done

# A wrapper's command has run by then: 74 itself, not the 125 of a command that did not run.
code=0
"$HOLDFAST" run --json -- touch ran >/dev/full 2>"$stderr" || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74: run --json"
[ -e ran ] || fail 'the command did not run'
code=0
"$HOLDFAST" run --json --bogus -- touch again >/dev/full 2>"$stderr" || code=$?
[ "$code" -eq 125 ] || fail "exit code $code, not 125: run --json --bogus"
[ ! -e again ] || fail 'the command ran'
