#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The driver is killed at each stage, and its supervisor: the same command goes on at the right iteration, every one that
# was let go is counted once with its true end, and nothing is begun beside one that may run.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

make_gate
# A program and no function: its number is that of the driver.
printf '#!/bin/sh\nexec "$HOLDFAST" run --name s --iterations 3 "$@" -- ./gated\n' >drive
chmod +x drive

# During an iteration. It goes on; who comes meanwhile is told so, or waits.
./drive 2>/dev/null &
driver=$!
wait_up
kill -s KILL "$driver"
wait "$driver" 2>/dev/null || :
expect_code 75 ./drive --json
expect_json .error.cause series-under-way
expect_code 75 ./drive --fresh
expect_ran 1
./drive --wait 1m --json >"$stdout" 2>"$stderr" &
driver=$!
open_gate 5 # the first, which the dead driver began
wait_up
expect_ran 1 2
expect_series s '[.history[] | "\(.n) \(.state) \(.exit_code)"] | join(",")' '1 exited 5'
open_gate 0
wait_up
open_gate 0
wait "$driver" || fail 'the second driver failed'
expect_ran 1 2 3
expect_json '[.reason, .done, (.history | map(.exit_code | tostring) | join("/"))] | join(" ")' 'iterations 3 5/0/0'

# It ended while nobody drove: its true end is found.
./drive 2>/dev/null &
driver=$!
wait_up
kill -s KILL "$driver"
wait "$driver" 2>/dev/null || :
open_gate 7
"$HOLDFAST" wait s >/dev/null 2>&1 || :
: >ran
./drive --json >"$stdout" 2>"$stderr" &
driver=$!
wait_up
open_gate 0
wait_up
open_gate 0
wait "$driver" || fail 'it did not go on'
expect_ran 2 3
expect_json '[.history[].exit_code | tostring] | join(" ")' '7 0 0'

# While it asks for the goal, for the progress, and in the pause: nothing is under way, nothing is lost.
mkfifo asked
for option in "--until=test -e began || exit 1; echo >asked; sleep 1000" \
  "--progress=test -e began || exit 1; echo >asked; sleep 1000" --pause=1h; do
  rm -f began ran
  "$HOLDFAST" run --name q --fresh --iterations 2 "$option" -- sh -c 'touch began; echo $HOLDFAST_ITERATION >>ran' 2>/dev/null &
  driver=$!
  case $option in
    --pause*) until [ "$(series q .done 2>/dev/null)" = 1 ]; do sleep 0.02; done ;;
    *) read -r _ <asked || : ;;
  esac
  kill -s KILL "$driver"
  wait "$driver" 2>/dev/null || :
  expect_ran 1
  expect_code 0 "$HOLDFAST" run --name q --wait 1m --iterations 2 --json -- sh -c 'touch began; echo $HOLDFAST_ITERATION >>ran'
  expect_ran 1 2
  expect_json '[.done, (.history | map("\(.n) \(.exit_code)") | join(","))] | join(" ")' '2 1 0,2 0'
done

# An intent that was never begun is the same iteration again.
expect_code 69 "$HOLDFAST" run --name never --iterations 2 --until 'exit 69' -- true
rm -f ran
file=$HOLDFAST_HOME/sessions/never/series.json
jq -c '.pending = {n: 1, run: "00112233445566778899aabbccddeeff", begun: false, since: .since.wall} | del(.crc32c)' "$file" >changed
cat changed >"$file"
expect_code 0 "$HOLDFAST" run --name never --iterations 1 --json -- true
expect_json '[.done, .history[0].n, .history[0].exit_code] | join(" ")' '1 1 0'
# One that was begun and has left no record is lost: an error, and never run again as if nothing had been.
expect_code 69 "$HOLDFAST" run --name never --iterations 2 --until 'exit 69' -- true
jq -c '.pending = {n: 1, run: "00112233445566778899aabbccddeeff", begun: true, since: .since.wall} | del(.crc32c)' "$file" >changed
cat changed >"$file"
expect_code 0 "$HOLDFAST" run --name never --iterations 2 --json -- true
expect_json '[.history[] | "\(.n) \(.state)"] | join(",")' '1 lost,2 exited'
expect_series never .unknown 1

# The supervisor is killed, and the command lives: 69 with what helps, and the iteration is counted once.
rm -f ran
./drive --json >"$stdout" 2>"$stderr" &
driver=$!
wait_up
kill -s KILL "$(cat boss)"
code=0
wait "$driver" || code=$?
[ "$code" -eq 69 ] || fail "code $code, not 69"
expect_json '[.reason, .done, .error.cause] | join(" ")' 'cannot-tell 0 series-orphaned'
expect_code 69 ./drive --json
expect_json '.error.detail | contains("holdfast adopt")' true
expect_ran 1
"$HOLDFAST" stop s --grace 0 >/dev/null 2>&1 || skip 'without a control group nobody can prove its end'
./drive --json >"$stdout" 2>"$stderr" &
driver=$!
wait_up
expect_ran 1 2
open_gate 0
wait_up
open_gate 0
wait "$driver" || fail 'it did not go on'
expect_json '[.done, .history[0].n, .history[1].exit_code] | join(" ")' '3 1 0'
[ "$(json_field '.history[0].exit_code')" != 0 ] || fail 'one that was killed is no success'
