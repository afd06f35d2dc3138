#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The record of a workspace is changed by who is attached, shown without secrets, and ended once.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" --json workspace new web
token=$(json_field .token)
expect_code 0 "$HOLDFAST" workspace set web branch=fix/160 'note=a=b c' --ttl 2h
expect_code 0 "$HOLDFAST" workspace get web note
expect_stdout_is 'a=b c'
expect_code 0 "$HOLDFAST" workspace set web --unset note --no-ttl --resume-id x1
expect_code 66 "$HOLDFAST" workspace get web note
expect_code 0 "$HOLDFAST" --json workspace get web
expect_json .fields.branch fix/160
expect_json .ttl_ms null
expect_json .change 3
if grep -q "$token" "$stdout"; then fail 'a token is shown'; fi
expect_code 0 "$HOLDFAST" workspace get web
expect_stdout_contains 'branch=fix/160'
if grep -q "$token" "$stdout"; then fail 'a token is shown'; fi
for key in dir state; do expect_code 0 "$HOLDFAST" workspace get web $key; done
expect_stdout_is ready
expect_code 66 "$HOLDFAST" workspace get web authority

expect_code 64 "$HOLDFAST" workspace set web 'bad key=1'
expect_code 64 "$HOLDFAST" workspace set web dir=/x
expect_code 64 "$HOLDFAST" workspace set web --ttl 1h --no-ttl
expect_code 64 "$HOLDFAST" workspace set web --authority paper:1
expect_code 66 "$HOLDFAST" workspace set none a=b
expect_code 66 "$HOLDFAST" workspace set web --authority process:4194303
expect_code 66 "$HOLDFAST" workspace get web authority

# A stranger may not, while the owner lives; with the token anybody may.
expect_code 77 setsid -w sh -c '"$HOLDFAST" workspace set web a=b; exit $?'
expect_stderr_contains "pid $$"
expect_code 77 "$HOLDFAST" workspace set web a=b --token 0123456789abcdef0123456789abcdef
expect_code 0 setsid -w sh -c '"$HOLDFAST" workspace set web a=b --token '"$token"'; exit $?'
printf '%s\n' "$token" >token
expect_code 0 setsid -w sh -c '"$HOLDFAST" workspace set web a=c --token @token; exit $?'
expect_code 0 "$HOLDFAST" workspace get web a
expect_stdout_is c
# A mere sign of life changes nothing else.
expect_code 0 "$HOLDFAST" --json workspace set web
expect_json '.keys | length' 0

# Sixteen at once: none is lost.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do "$HOLDFAST" workspace set web "k$i=$i" & done
wait
expect_code 0 "$HOLDFAST" --json workspace get web
expect_json '[.fields | to_entries[] | select(.key | startswith("k"))] | length' 16

# The list: what cannot be read is in it, and 69.
"$HOLDFAST" workspace new other >/dev/null
expect_code 0 "$HOLDFAST" workspace end other --reason 'no use'
expect_code 0 "$HOLDFAST" --json workspace end other
expect_json .changed false
expect_code 0 "$HOLDFAST" --json workspace list
expect_json '[.workspaces[].name] | join(" ")' web
expect_code 0 "$HOLDFAST" --json workspace list --all
expect_json '[.workspaces[].name] | join(" ")' 'other web'
expect_json '.workspaces[0].reason' 'no use'
expect_code 0 "$HOLDFAST" workspace list --state ended
expect_stdout_contains other
expect_code 77 "$HOLDFAST" workspace set other a=b
expect_stderr_contains 'has ended'
expect_code 77 "$HOLDFAST" workspace attach other
"$HOLDFAST" workspace new broken >/dev/null
printf '{' >"$HOLDFAST_HOME/sessions/broken/harness.json"
expect_code 69 "$HOLDFAST" --json workspace list
expect_json '.workspaces | length' 2
expect_json '.workspaces[0].error.cause' bad-workspace-record
expect_code 65 "$HOLDFAST" workspace get broken
expect_code 65 "$HOLDFAST" workspace set broken a=b
[ "$(cat "$HOLDFAST_HOME/sessions/broken/harness.json")" = '{' ] || fail 'the damaged record was touched'

# Ended under somebody: only by force, and not by the caller's own seat.
expect_code 75 setsid -w sh -c '"$HOLDFAST" workspace end web; exit $?'
expect_code 0 setsid -w sh -c '"$HOLDFAST" --json workspace end web --force; exit $?'
expect_json .left 1
expect_code 0 "$HOLDFAST" journal query --type workspace.ended --json
expect_stdout_contains '"no use"'
