#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Work that was asked to end and exits with 0 has obeyed; it is not done: not for a loop, not for `once`, not for
# `attempt`, and not for a series, whether `stop` asked, or a signal to the front end, or one to the supervisor.
. "$(dirname -- "$0")/../cli/step.inc"
. "$(dirname -- "$0")/../cli/run_session.inc"
. "$(dirname -- "$0")/../cli/lib.sh"

mkfifo up
cat >polite <<'SH'
#!/bin/sh
trap 'exit 0' TERM
echo "$PPID" >boss
echo up >up
while :; do sleep 600 & wait $!; done
SH
chmod +x polite

# answers CODE: what the last background job exits with.
answers() {
  code=0
  wait "$!" || code=$?
  [ "$code" -eq "$1" ] || fail "exit code $code, not $1"
}
"$HOLDFAST" once a -- ./polite >/dev/null 2>&1 &
read -r _ <up
kill "$!"
answers 143
expect_code 0 "$HOLDFAST" once show a --json
expect_json .done null
expect_record once%3Aa '.asked.signal' 15

"$HOLDFAST" attempt b --max 3 -- ./polite >/dev/null 2>&1 &
read -r _ <up
kill "$(cat boss)"
answers 143
expect_code 0 "$HOLDFAST" attempt show b --json
expect_json .done null

# A verification that was asked to end says nothing, whatever it exits with.
"$HOLDFAST" once v --verify ./polite -- true >/dev/null 2>&1 &
read -r _ <up
kill "$!"
answers 76
expect_code 0 "$HOLDFAST" once show v --json
expect_json .state unsure

printf '[loop]\nsource = "cat items"\nrun = ["./polite"]\non_success = ["touch", "succeeded"]\nattempts = 1\n' >fix.toml
echo '{"id":"i"}' >items
"$HOLDFAST" loop fix.toml --once >/dev/null 2>&1 &
read -r _ <up
session=
until [ -n "$session" ]; do
  session=$("$HOLDFAST" ps --json | jq -r '.sessions[] | select(.state == "running") | .name')
done
expect_code 0 "$HOLDFAST" stop "$session"
wait "$!" || :
[ ! -e succeeded ] || fail 'on_success ran for work that was stopped'
expect_code 0 "$HOLDFAST" loop status fix.toml --json
[ "$(json_field '.items[0].state')" != 'done' ] || fail 'what was stopped counts as done'
expect_code 0 "$HOLDFAST" journal query --type session.ended --json
case $(jq -r 'select(.data.by) | .data.by' <"$stdout") in *'stop, process '*) ;; *) fail 'nobody says who asked' ;; esac
