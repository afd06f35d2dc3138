#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Over a session's record that is damaged (65), newer (69) or unsafe (77) nothing is started, stopped, adopted, counted or
# removed, and the record is not overwritten.
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 0 "$HOLDFAST" once k -- true
expect_code 0 "$HOLDFAST" run --name a -- true
step=$(step_session once k)
session=$HOLDFAST_HOME/sessions/a/session.json
jq -c '.v = 99' "$session" >newer
refused() { # CODE
  cp -p "$session" before
  expect_code "$1" "$HOLDFAST" run --name a -- touch ran
  expect_code "$1" "$HOLDFAST" run --detach --name a -- touch ran
  for command in resume stop adopt wait; do expect_code "$1" "$HOLDFAST" "$command" a; done
  expect_code "$1" "$HOLDFAST" once k --ttl 1ms -- touch ran
  "$HOLDFAST" gc --runs --grace 0 -q >/dev/null 2>&1 || :
  for file in "$session" "$step"; do cmp "$file" before || fail 'the record was overwritten'; done
  [ ! -e ran ] || fail 'something ran'
}
put() { tee "$session" >"$step" <"$1"; }
echo garbage >damaged
put damaged
refused 65
put /dev/null
refused 65
put newer
refused 69
for file in "$session" "$step"; do ln "$file" "$file.second"; done
refused 77
for file in "$session" "$step"; do rm "$file.second" && chmod 666 "$file"; done
refused 77
