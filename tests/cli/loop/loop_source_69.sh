#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A source that fails, hangs, is cut short or prints something else is no answer: nothing is begun.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
items a b
try() {
  printf '%s\n' "$1" >source.sh
  expect_code 69 "$HOLDFAST" loop fix.toml --once
  [ ! -s story ] || fail "begun on: $1"
  expect_stderr_contains "$2"
}
loop_file 'source_timeout = "3s"'
sed 's|^source = .*|source = "sh source.sh"|' fix.toml >other.toml
mv other.toml fix.toml
try 'cat items; exit 1' 'exited with 1'
[ "$(grep -c 'exited with 1' "$stderr")" -eq 1 ] || fail "it is said more than once: $(cat "$stderr")"
try 'sleep 60' 'in time'
try 'cat items; printf {' ''
try 'echo "{}"' ''
try 'cat items items' ''
try 'echo text' ''
try 'printf "{\"id\":\"a\"}"' ''
try 'yes "{}" | head -c 20000000' ''
try './not-there' ''
echo true >source.sh
expect_code 0 "$HOLDFAST" loop fix.toml --once
[ ! -s story ] || fail 'an empty answer begins something'
[ "$("$HOLDFAST" journal count --type loop.source_failed)" -ge 9 ] || fail 'the journal does not tell'
