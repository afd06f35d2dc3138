#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Over a session's record that is damaged (65), newer (69) or unsafe (77) nothing is started, stopped, adopted, counted or
# removed, and the record is not overwritten.
. "$(dirname -- "$0")/../cli/step.inc"
. "$(dirname -- "$0")/../cli/lib.sh"

expect_code 0 "$HOLDFAST" once k -- true
file=$(step_session once k)
cp -p "$file" good
refused() { # CODE
  cp -p "$file" before
  expect_code "$1" "$HOLDFAST" run --name once:k -- touch ran
  expect_code "$1" "$HOLDFAST" run --detach --name once:k -- touch ran
  expect_code "$1" "$HOLDFAST" resume once:k
  expect_code "$1" "$HOLDFAST" stop once:k
  expect_code "$1" "$HOLDFAST" adopt once:k
  expect_code "$1" "$HOLDFAST" wait once:k
  expect_code "$1" "$HOLDFAST" once k --ttl 1ms -- touch ran
  "$HOLDFAST" gc --runs --grace 0 -q >/dev/null 2>&1 || :
  cmp "$file" before || fail 'the record was overwritten'
  [ ! -e ran ] || fail 'something ran'
}
echo garbage >"$file"
refused 65
: >"$file"
refused 65
jq -c '.v = 99' good >"$file"
refused 69
cat good >"$file"
ln "$file" second-name
refused 77
rm second-name
chmod 666 "$file"
refused 77
chmod 600 "$file"
expect_code 0 "$HOLDFAST" once k --ttl 1ms -- touch ran
[ -e ran ] || fail 'it did not run over a good record'
