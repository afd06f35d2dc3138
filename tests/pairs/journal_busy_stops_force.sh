#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# While another process holds the journal's lock, a decision is refused with 69 and what it was for does not happen: nobody
# is killed, no lock is broken. An event is kept beside the journal, and the next writer adds it.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/process.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
trap 'end_started; end_keepers; remove_scratch' EXIT
command -v flock >/dev/null || skip 'there is no flock(1)'

start sleep-forever
identity=$("$HOLDFAST" identify "$pid")
token=$("$HOLDFAST" acquire x)
id=$("$HOLDFAST" locks x --json | jq -r .break_id)
mkfifo go locked
flock "$HOLDFAST_HOME/journal" sh -c 'echo >locked; read -r _ <go' &
busy=$!
read -r _ <locked

# Each of them waits for a second, so they wait at the same time.
"$HOLDFAST" kill "$identity" >/dev/null 2>&1 & killing=$!
"$HOLDFAST" break x --id "$id" --reason test 2>/dev/null & breaking=$!
"$HOLDFAST" journal append --type x.act --class decision --data '{}' 2>/dev/null & deciding=$!
expect_code 0 "$HOLDFAST" journal append --type x.news --data '{}' --json
expect_json .kept spilled
for one in "$killing" "$breaking" "$deciding"; do
  code=0
  wait "$one" || code=$?
  [ "$code" -eq 69 ] || fail "exit code $code, not 69"
done
expect_lives "$pid"
expect_code 0 "$HOLDFAST" check x --token "$token"
echo >go
wait "$busy"
[ "$(count_events x.news)" -eq 0 ] || fail 'a reader has seen what was not added yet'
expect_code 0 "$HOLDFAST" journal append --type x.next --data '{}'
[ "$(count_events x.news) $(count_events x.act)" = '1 0' ] || fail 'the event is not there once, or the decision is'
