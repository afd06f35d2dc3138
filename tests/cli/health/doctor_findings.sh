#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doctor answers by exit code and by finding, and changes nothing unless asked.
. "$(dirname -- "$0")/../../lib/lib.sh"

verdict_of() { json_field ".findings[] | select(.check == \"$1\") | .verdict"; }

expect_code 0 "$HOLDFAST" --json doctor
[ "$(verdict_of home)" = note ] || fail 'a home that is not there yet is a note'
[ ! -e "$HOLDFAST_HOME" ] || fail 'doctor made a home without being asked'

expect_code 0 "$HOLDFAST" --json doctor --init
[ "$(verdict_of home)" = good ] || fail 'the new home is not good'
[ "$(verdict_of above)" = good ] || fail 'the directories above the new home are not good'

# Which limits work here is what a run meets.
for limit in memory pids cpu nofile; do
  "$HOLDFAST" --json doctor >facts
  verdict=$(jq -r --arg s "--$limit" '.findings[] | select(.check == "limits" and .subject == $s) | .verdict' <facts)
  code=125
  [ "$verdict" != good ] || code=0
  case $limit in memory) value=1G ;; *) value=200 ;; esac
  expect_code "$code" "$HOLDFAST" run "--$limit" "$value" -- true
done

expect_code 66 "$HOLDFAST" doctor no-such-directory
expect_stdout_contains 'No such file'
touch file
expect_code 0 "$HOLDFAST" doctor file
