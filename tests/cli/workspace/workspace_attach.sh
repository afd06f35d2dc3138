#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One owner at a time, guests beside it, and nobody's leaving detaches anybody else.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" --json workspace new web
token=$(json_field .token)

# Two terminals: each a shell of its own that waits for a word. The first gives up the maker's seat.
mkfifo one.in two.in
terminal() { # NAME OPTIONS: attaches, and stays until it is told to leave
  setsid sh -c '
    "$HOLDFAST" workspace attach web '"$2"' --what "terminal $1" >"$1.token" 2>"$1.err"; echo $? >"$1.code.tmp"
    mv "$1.code.tmp" "$1.code"
    read -r _ <"$1.in"
    "$HOLDFAST" workspace detach web >"$1.left" 2>&1; echo $? >"$1.gone.tmp"; mv "$1.gone.tmp" "$1.gone"
  ' sh "$1" &
}
await() {
  for _ in $(seq 600); do [ -e "$1" ] && return 0; sleep 0.05; done
  fail "no $1"
}
expect_code 75 "$HOLDFAST" workspace attach web --owner $$
expect_stderr_contains "pid $$"
expect_stderr_contains 'the caller itself'
expect_code 0 "$HOLDFAST" workspace detach web
expect_stdout_is 'left: 0'
expect_code 77 "$HOLDFAST" workspace detach web
expect_code 77 "$HOLDFAST" workspace detach web --token "$token"

terminal one ''
first=$!
await one.code
[ "$(cat one.code)" = 0 ] || fail "the first terminal: $(cat one.err)"
expect_code 75 "$HOLDFAST" workspace attach web
expect_stderr_contains 'terminal one'
expect_stderr_contains 'attached since 20'
terminal two --guest
await two.code
[ "$(cat two.code)" = 0 ] || fail "the second terminal: $(cat two.err)"
expect_code 0 "$HOLDFAST" --json workspace get web
expect_json '.attached | length' 2
expect_json .owner.what 'terminal one'

# Nobody else's token, and no stranger, detaches them.
expect_code 77 "$HOLDFAST" workspace detach web --token 0123456789abcdef0123456789abcdef
expect_code 77 "$HOLDFAST" workspace detach web
expect_code 75 "$HOLDFAST" workspace end web

# The second leaves; the first keeps the workspace.
echo go >two.in
await two.gone
[ "$(cat two.left)" = 'left: 1' ] || fail "$(cat two.left)"
expect_code 75 "$HOLDFAST" workspace attach web

# The first is killed: nobody is there any more.
kill -9 "$first"
wait "$first" 2>/dev/null || :
expect_code 0 "$HOLDFAST" workspace attach web --owner none
token=$(cat "$stdout")
expect_code 0 env HOLDFAST_TOKEN="$token" "$HOLDFAST" --json workspace detach web
expect_json .left 0

# A command: attached while it runs, and its code is passed on.
# shellcheck disable=SC2016
expect_code 3 "$HOLDFAST" workspace attach web -- sh -c '
  [ "$HOLDFAST_WORKSPACE" = web ] && [ "$HOLDFAST_WORKSPACE_DIR" = "$HOLDFAST_HOME/sessions/web" ] || exit 9
  "$HOLDFAST" workspace attach web --owner $$ 2>/dev/null && exit 8
  "$HOLDFAST" workspace set web "pid=$$" || exit 7
  "$HOLDFAST" --json workspace get web >seen
  exit 3'
[ "$(jq .owner.pid seen)" = "$(jq -r .fields.pid seen)" ] || fail 'the owner was not the command'
expect_code 0 "$HOLDFAST" --json workspace get web
expect_json .owner null
expect_code 127 "$HOLDFAST" workspace attach web -- ./no-such-command
expect_code 64 "$HOLDFAST" workspace attach web --owner 1 -- true
expect_code 0 "$HOLDFAST" --json workspace attach web --guest -- sh -c 'echo to stderr'
expect_json .guest true
expect_json .left 0
expect_stderr_contains 'to stderr'

# The wrapper is killed: the command still owns it.
# shellcheck disable=SC2016
"$HOLDFAST" workspace attach web -- sh -c 'echo $$ >pid.tmp; mv pid.tmp pid; read -r _ <one.in' &
wrapper=$!
await pid
kill -9 "$wrapper"
wait "$wrapper" 2>/dev/null || :
expect_code 75 "$HOLDFAST" workspace attach web
expect_stderr_contains "pid $(cat pid)"
kill -9 "$(cat pid)"
expect_code 0 "$HOLDFAST" journal count --type workspace.attached
