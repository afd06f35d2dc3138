#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `trash restore` beside a run of the name that begins: neither takes the other's directory or record.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

trashed() { "$HOLDFAST" trash list --json | jq -r '[.entries[]? | .name] | join(" ")'; }
mkfifo up go
expect_code 0 "$HOLDFAST" run --name n -- echo first
expect_code 0 gc --runs
# A run that is under way keeps its name.
"$HOLDFAST" run --name n -- sh -c 'echo >up; read -r _ <go' &
read -r _ <up
expect_code 75 "$HOLDFAST" trash restore n
echo >go
wait "$!" || fail 'the run failed'
expect_record n .number 1
expect_code 0 "$HOLDFAST" trash restore n --as old
expect_code 0 "$HOLDFAST" logs old
expect_stdout_is first

# At once: the run goes on behind what came back, or what would have come back stays in the trash.
for round in 1 2 3 4 5 6 7 8 9 10; do
  expect_code 0 "$HOLDFAST" run --name "r$round" -- echo first
done
expect_code 0 gc --runs
for round in 1 2 3 4 5 6 7 8 9 10; do
  "$HOLDFAST" run --name "r$round" -- echo second >/dev/null 2>"$scratch/err" &
  code=0
  "$HOLDFAST" trash restore "r$round" >"$stdout" 2>"$stderr" || code=$?
  wait "$!" || fail "the run failed: $(cat "$scratch/err")"
  expect_record "r$round" .state exited
  case $code in
    0)
      expect_record "r$round" .number 2
      [ "$("$HOLDFAST" logs "r$round" --run 1)" = first ] || fail 'the log of the run that came back is gone'
      ;;
    75) expect_record "r$round" .number 1 ;;
    *) fail "restore: $code" ;;
  esac
  [ "$("$HOLDFAST" logs "r$round")" = second ] || fail 'the log of the new run is gone'
  [ "$code" -eq 0 ] || expect_code 0 "$HOLDFAST" trash restore "r$round" --as "again$round"
done
