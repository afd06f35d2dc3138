#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `ps` lists what has not ended, `--all` the rest too; looking makes nothing.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

expect_code 0 "$HOLDFAST" ps --json
expect_json '.sessions' '[]'
expect_code 66 "$HOLDFAST" show x
[ ! -e "$HOLDFAST_HOME" ] || fail 'looking made a home'

sleeper
put_session live running "$sleeper" '.started = "2026-11-15T07:46:01.000Z"'
put_session over exited "$sleeper" '.exit_code = 3 | .ended = "2026-11-15T07:47:00.000Z"'
mkdir -m 700 "$(session_dir harness)"

expect_code 0 "$HOLDFAST" ps
expect_stdout_contains live
expect_stdout_contains running
expect_stdout_contains 'sleep 600'
if grep -q over "$stdout"; then fail 'one that has ended is listed'; fi
expect_stderr_contains '--all'
expect_code 0 "$HOLDFAST" ps --all --json
expect_json '[.sessions[].name] | join(",")' live,over
expect_json '.sessions[1].exit_code' 3
expect_json '.sessions[0].known' true
expect_json '.sessions[0].supervisor' "$sleeper"
expect_json '.sessions[0].supervisor_pid' "$sleeper"

expect_code 0 "$HOLDFAST" show over --json
expect_json .state exited
expect_json .log "$(session_dir over)/out.log"
expect_json .elapsed_ms null
expect_code 0 "$HOLDFAST" show live
expect_stdout_contains 'supervisor-live'
expect_code 66 "$HOLDFAST" show harness

# The manual lists the fields that there are.
listed() {
  "$HOLDFAST" help "$1" | awk '/^[A-Z]/ { on = ($0 == "JSON fields"); next }
    /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' | sort
}
for command in show wait; do
  "$HOLDFAST" "$command" over --json >"$stdout" || :
  [ "$(listed "$command")" = "$(json_field 'del(.ok, .code, .error) | keys | .[]' | sort)" ] ||
    fail "$command: its page lists other fields"
done
