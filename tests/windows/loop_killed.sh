#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A loop that is killed while an item runs: the run goes on, and the next loop waits for its end and starts no second
# one. Killed together with the supervisor, the run is lost and the verification decides. `--no-wait` leaves what it began.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"
. "$(dirname -- "$0")/loop.inc"
make_world
loop_file 'attempts = 2'

# begin ID: a loop that runs a slow item, as the process $loop.
begin() {
  items "$1"
  touch "slow.$1"
  "$HOLDFAST" loop fix.toml >"$1.out" 2>&1 &
  loop=$!
  wait_until test -e "up.$1"
}
kill_loop() {
  kill -s KILL "$loop"
  wait "$loop" 2>/dev/null || :
}

begin alone
kill_loop
expect_item alone running
expect_code 0 "$HOLDFAST" show fix-alone --json
expect_json .state running
: >go.alone
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item alone 'done'
expect_times 1 alone run
expect_times 1 alone close
[ "$(item alone .attempts)" -eq 1 ] || fail "$(item alone .attempts) attempts"

# The supervisor, too: its job takes the agent along before it has merged. The verification says that it is not done, so
# it is done again, once.
begin both
supervisor=$(jq -r .supervisor.pid "$HOLDFAST_HOME/sessions/fix-both/session.json")
expect_code 0 "$HOLDFAST" identify "$supervisor"
cp "$stdout" id
kill_loop
expect_code 0 "$HOLDFAST" kill @id --grace 0
dead() { code=0; "$HOLDFAST" alive @id || code=$?; [ "$code" -eq 66 ]; }
wait_until dead
expect_code 66 "$HOLDFAST" adopt fix-both # there is nothing left to adopt
: >go.both
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item both 'done'
expect_times 2 both run

# What is left behind on purpose.
items left
touch slow.left
expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
wait_until test -e up.left
expect_item left running
: >go.left
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item left 'done'
expect_times 1 left run
