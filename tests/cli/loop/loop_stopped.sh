#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An item whose run was stopped is not done, though its command exits with 0; nor is one whose exit code nobody knows.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

items 1
mkfifo up
script agent <<'X'
trap 'exit 0' TERM
echo up >up
while :; do sleep 0.05; done
X
printf '[loop]\nsource = "cat items"\nrun = ["./agent"]\nattempts = 1\n' >fix.toml
"$HOLDFAST" loop fix.toml --once >/dev/null 2>&1 &
read -r _ <up
session=$("$HOLDFAST" ps --json | jq -r '.sessions[0].name')
expect_code 0 "$HOLDFAST" stop "$session"
wait $! || :
expect_code 0 "$HOLDFAST" show "$session" --json
expect_json '[.state, .exit_code] | join(" ")' 'exited 0'
[ "$(item 1 .state)" != "done" ] || fail 'one that was stopped is done'
