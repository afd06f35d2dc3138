#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A record that cannot be read is 65, 69 or 77 and never "no session"; it hides no other, and nobody changes it.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

sleeper
put_session good running "$sleeper"
put_session bad running "$sleeper"
record=$(session_dir bad)/session.json
whole=$(cat "$record")

check() { # CODE CAUSE
  before=$(cat "$record" 2>/dev/null || :)
  for command in show wait logs; do
    expect_code "$1" "$HOLDFAST" "$command" bad --json
    expect_json .error.cause "$2"
  done
  expect_code "$1" "$HOLDFAST" ps --json
  expect_json '[.sessions[] | select(.name == "good") | .state] | join(",")' running
  expect_json '.sessions[] | select(.name == "bad") | .error.cause' "$2"
  expect_code "$1" "$HOLDFAST" ps
  expect_stdout_contains unreadable
  [ "$before" = "$(cat "$record" 2>/dev/null || :)" ] || fail 'the record was changed'
}

: >"$record"
check 65 bad-session-record
printf '%s' "$whole" | head -c 200 >"$record"
check 65 bad-session-record
printf '%s' "$whole" | jq -c '.v = 2' >"$record"
check 69 newer-version
printf '%s' "$whole" | jq -c '.name = "good"' >"$record"
check 65 other-session
printf '%s\n' "$whole" >"$record"
chmod 666 "$record"
check 77 writable-by-others
rm "$record"
ln -s ../good/session.json "$record"
check 77 is-link
rm "$record"
mkfifo -m 600 "$record"
for command in show wait ps; do
  name=bad
  [ "$command" != ps ] || name=--all
  expect_code 77 "$HOLDFAST" "$command" "$name"
done
