#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `resume` of the session of a series runs its command once more, alone; the series neither counts that run nor loses an
# iteration to it.
. "$(dirname -- "$0")/../cli/run_session.inc"
. "$(dirname -- "$0")/../cli/series.inc"
. "$(dirname -- "$0")/../cli/lib.sh"

make_gate
mkfifo asked answer
"$HOLDFAST" run --name s --iterations 2 --until '[ -e ran ] || exit 1; echo >asked; read -r code <answer; exit "$code"' --json \
  -- ./gated >"$scratch/series.json" 2>/dev/null &
driver=$!
wait_up
expect_code 75 "$HOLDFAST" resume s
open_gate 5
read -r _ <asked
code=0
"$HOLDFAST" resume s >/dev/null 2>"$stderr" &
wait_up
expect_code 75 "$HOLDFAST" resume s
open_gate 3
wait "$!" || code=$?
[ "$code" -eq 3 ] || fail "the resumed run ended with $code"
echo 1 >answer
wait_up
open_gate 6
read -r _ <asked
echo 0 >answer
wait "$driver" || fail 'the goal was reached'
cp "$scratch/series.json" "$stdout"
expect_json '[.done, (.history | map("\(.n) \(.exit_code)") | join(","))] | join(" ")' '2 1 5,2 6'
# What it is told is what was recorded: the number of the iteration that it repeats.
expect_ran 1 1 2
