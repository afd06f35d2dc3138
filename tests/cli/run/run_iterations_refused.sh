#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is no series, or another's, is refused: the command line, a record that is damaged or newer, another command, and
# a second driver.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" run --iterations 3 -- touch never
expect_stderr_contains --name
expect_code 64 "$HOLDFAST" run --name n --iterations 3 -d -- touch never
expect_stderr_contains 'holdfast run -d --name driver -- holdfast run --iterations'
expect_code 64 "$HOLDFAST" run --name n --iterations 0 -- touch never
expect_code 64 "$HOLDFAST" run --name n --iterations 2 --max-errors 0 -- touch never
expect_code 64 "$HOLDFAST" run --name n --until true -- touch never
expect_code 64 "$HOLDFAST" run --name n --fresh -- touch never
# An empty variable is no goal that is reached.
for empty in '' ' ' '
'; do
  expect_code 64 "$HOLDFAST" run --name n --iterations 2 --until "$empty" -- touch never
  expect_code 64 "$HOLDFAST" run --name n --iterations 2 --progress "$empty" -- touch never
done

# A second driver is told who; --fresh does not help.
make_gate
"$HOLDFAST" run --name busy --iterations 2 -- ./gated 2>/dev/null &
driver=$!
wait_up
expect_code 75 "$HOLDFAST" run --name busy --iterations 2 --json -- ./gated
expect_json .error.cause series-busy
expect_json ".error.detail | contains(\"process $driver\")" true
expect_code 75 "$HOLDFAST" run --name busy --iterations 2 --fresh -- ./gated
expect_ran 1
# `stop` ends the iteration, and the series with it; it can be gone on with.
"$HOLDFAST" stop busy >/dev/null 2>&1 || :
code=0
wait "$driver" || code=$?
[ "$code" -eq 143 ] || fail "stopped: $code"
expect_ran 1
expect_series busy '[.done, .errors // 0, .over // "no"] | join(" ")' '0 0 no'

# Another command is 77; --fresh leaves the old series behind.
expect_code 77 "$HOLDFAST" run --name busy --iterations 2 --json -- touch never
expect_json .error.cause other-command
expect_json '.error.detail | contains("--fresh")' true
expect_code 0 "$HOLDFAST" run --name busy --iterations 2 --fresh --json -- true
expect_json .done 2

# A driver whose lock was taken away starts and writes nothing more; what it began is counted by the next one.
rm ran
"$HOLDFAST" run --name broken --iterations 2 --json -- ./gated >"$stdout" 2>"$stderr" &
driver=$!
wait_up
id=$("$HOLDFAST" locks --json 2>/dev/null | jq -r '.locks[] | select(.name == "series:broken") | .break_id')
"$HOLDFAST" break series:broken --id "$id" --reason test >/dev/null 2>&1 || fail 'the lock cannot be broken'
open_gate 6
code=0
wait "$driver" || code=$?
[ "$code" -eq 77 ] || fail "code $code, not 77"
expect_json .error.cause lost
expect_ran 1
expect_series broken '[.done, .pending.n] | join(" ")' '0 1'
"$HOLDFAST" run --name broken --iterations 2 --json -- ./gated >"$stdout" 2>"$stderr" &
driver=$!
wait_up
open_gate 0
wait "$driver" || fail 'nobody goes on with it'
expect_ran 1 2
expect_json '[.history[].exit_code | tostring] | join(" ")' '6 0'

# A record that is damaged is 65, a newer one 69; neither is written over. --fresh moves a damaged one aside, five times
# at most, and says so.
record=$HOLDFAST_HOME/sessions/busy/series.json
for bytes in '' '{' '{"v":1,"kind":"holdfast-series"}' '[' '[]'; do
  printf '%s' "$bytes" >"$record"
  expect_code 65 "$HOLDFAST" run --name busy --iterations 2 -- touch never
  expect_stderr_contains --fresh
  [ "$(cat "$record")" = "$bytes" ] || fail 'it was written over'
  expect_code 0 "$HOLDFAST" run --name busy --iterations 1 --fresh -- true
  expect_stderr_contains "moved aside, to $record.corrupt-"
  grep -qxF -e "$bytes" "$record".corrupt-* || [ -z "$bytes" ] || fail 'its bytes are gone'
done
printf '{' >"$record"
expect_code 77 "$HOLDFAST" run --name busy --iterations 2 --fresh --json -- touch never
expect_json .error.cause too-many-copies
[ "$(cat "$record")" = '{' ] || fail 'it was written over'
expect_code 0 "$HOLDFAST" run --name other --iterations 1 -- true
sed 's/"v":1/"v":2/' "$HOLDFAST_HOME/sessions/other/series.json" >"$record"
cp "$record" before
expect_code 69 "$HOLDFAST" run --name busy --iterations 2 -- touch never
expect_code 69 "$HOLDFAST" run --name busy --iterations 2 --fresh -- touch never
cmp -s before "$record" || fail 'it was written over'
cp "$HOLDFAST_HOME/sessions/other/series.json" "$record"
expect_code 65 "$HOLDFAST" run --name busy --iterations 2 --json -- touch never
expect_json .error.cause other-session
[ ! -e never ] || fail 'something was started'
