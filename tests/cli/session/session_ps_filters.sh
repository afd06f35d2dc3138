#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `ps` by names, states and time, in an order; of what has ended it says when and why; what loops run for themselves is
# hidden unless it needs somebody.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers
# names_are NAMES ARGUMENTS…
names_are() {
  names=$1
  shift
  expect_code 0 "$HOLDFAST" ps --json "$@"
  expect_json '[.sessions[].name] | join(" ")' "$names"
}
sleeper
put_session fix-1 running "$sleeper" '.started = "2026-11-15T07:46:05.000Z"'
put_session fix-2 timed_out "$sleeper" '.started = "2026-11-15T07:46:01.000Z" | .ended = "2026-11-15T07:47:00.000Z" | .reason = "deadline"'
put_session fix-3 failed "$sleeper" '.ended = "2026-11-15T08:47:00.000Z" | .reason = "busy"'
put_session other starting "$sleeper"

names_are 'fix-1 other'
names_are 'fix-1' 'fix-*'
names_are 'fix-1 fix-2 fix-3' --all 'fix-?'
names_are 'other' --all 'o*' nothing
names_are 'fix-2 fix-3' --state timed_out,failed
names_are 'fix-1' --state running
names_are 'fix-1 fix-3 other' --since 2026-11-15T08:00Z
names_are 'fix-3 fix-2 fix-1 other' --all --sort ended
names_are 'fix-1 fix-2 fix-3 other' --all --sort started
names_are 'other fix-1 fix-3 fix-2' --all --sort state
expect_code 64 "$HOLDFAST" ps --state nonsense
expect_stderr_contains 'the states are waiting, reserved'
expect_code 64 "$HOLDFAST" ps --since nonsense
expect_code 0 "$HOLDFAST" ps nothing
expect_stderr_contains 'no session matches'

expect_code 0 "$HOLDFAST" ps
if grep -qE 'ENDED|REASON' "$stdout"; then fail 'columns that say nothing'; fi
expect_stderr_contains '2 ended sessions hidden (use --all)'
expect_code 0 "$HOLDFAST" ps --all
[ "$(awk '$1 == "fix-2" { print $2, $8 }' "$stdout")" = 'timed_out deadline' ] || fail "$(cat "$stdout")"
head -n 1 "$stdout" | grep -q 'ENDED  *REASON' || fail 'the heading'

# put_as NAME STATE [JQ]
put_as() {
  put_session tmp "$2" "$sleeper" ".name = \"$1\" | ${3:-.}"
  mv "$(session_dir tmp)" "$(session_dir "$(printf '%s' "$1" | sed 's/:/%3A/')")"
}
put_as fix-1:notice running '.counted = true'
put_as fix-1:act running '.counted = true'
put_as notify:k exited '.counted = true | .exit_code = 0'
put_as mine:notice running
names_are 'fix-1 mine:notice other'
expect_code 0 "$HOLDFAST" ps
expect_stderr_contains '2 internal sessions hidden (use --all)'
names_are 'fix-1 fix-1:act fix-1:notice fix-2 fix-3 mine:notice notify:k other' --all
end_one "$sleeper"
expect_code 0 "$HOLDFAST" ps
expect_stdout_contains fix-1:notice # orphaned: somebody has to see to it
