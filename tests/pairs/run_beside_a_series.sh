#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A plain `run` of the name of a series: never beside an iteration, and between two of them it runs alone and is not
# counted.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/series.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

make_gate
mkfifo asked answer
"$HOLDFAST" run --name s --iterations 2 --until '[ -e ran ] || exit 1; echo >asked; read -r code <answer; exit "$code"' --json \
  -- ./gated >"$scratch/series.json" 2>/dev/null &
driver=$!
wait_up
expect_code 75 "$HOLDFAST" run --name s -- touch beside
[ ! -e beside ] || fail 'it ran beside an iteration'
open_gate 5
read -r _ <asked
# Between two iterations: one of the name at a time, and this one is no iteration.
expect_code 3 "$HOLDFAST" run --name s -- sh -c '[ -z "${HOLDFAST_ITERATION-}" ] || exit 9; exit 3'
echo 1 >answer
wait_up
open_gate 6
read -r _ <asked
echo 0 >answer
wait "$driver" || fail 'the goal was reached'
expect_ran 1 2
cp "$scratch/series.json" "$stdout"
expect_json '[.done, (.history | map("\(.n) \(.exit_code)") | join(","))] | join(" ")' '2 1 5,2 6'
expect_record s .exit_code 6
