#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A damaged format file is 65, one of a newer version 69; neither is ever rewritten.
. "$(dirname -- "$0")/../../lib/lib.sh"
"$HOLDFAST" doctor --init >/dev/null || fail 'no home'

kept() { # kept CODE CONTENT
  printf '%s' "$2" >"$HOLDFAST_HOME/format"
  expect_code "$1" "$HOLDFAST" doctor --init
  [ "$(cat "$HOLDFAST_HOME/format")" = "$2" ] || fail "the format file was changed: $2"
}

kept 65 ''
kept 65 'garbage'
kept 65 "$(head -c 5000 /dev/zero | tr '\0' x)"
kept 65 '{"v":1,"kind":"holdfast-home"'
kept 69 '{"v":2,"kind":"holdfast-home","created":"2031-01-01T00:00:00.000Z"}'
expect_stderr_contains 'update holdfast'
