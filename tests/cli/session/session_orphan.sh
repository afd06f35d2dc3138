#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A killed supervisor makes an orphan; it is waited for while its command lives, and never called ended.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

sleeper
command=$sleeper
sleeper
supervisor=$sleeper
put_session x running "$supervisor" ".command = $(identity_of "$command")"
"$HOLDFAST" wait x 2>"$scratch/says" &
waiter=$!
"$HOLDFAST" wait x --until orphaned &
until_orphaned=$!
end_one "$supervisor"
wait "$until_orphaned" || fail "--until orphaned: $?"
expect_code 0 "$HOLDFAST" show x --json
expect_json .state orphaned
expect_json .tree lives
expect_json .pid "$command"
expect_code 0 "$HOLDFAST" ps
expect_stderr_contains 'orphaned'
end_one "$command"
code=0
wait "$waiter" || code=$?
[ "$code" -eq 69 ] || fail "wait: $code"
expect_code 0 "$HOLDFAST" show x --json
expect_json .state orphaned
expect_json .tree unproven

# Before the gate nothing ran.
put_session y starting $$ ".supervisor = $(jq -c .supervisor "$(session_dir x)/session.json")"
expect_code 125 "$HOLDFAST" wait y
