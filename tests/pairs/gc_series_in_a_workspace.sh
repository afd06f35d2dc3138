#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A series inside a workspace that was ended: a clean-up keeps both until the series is over, and told.
. "$(dirname -- "$0")/../lib/series.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

mkfifo asked answer
new w
"$HOLDFAST" run --name w --iterations 2 --until '[ -e ran ] || exit 1; echo >asked; read -r code <answer; exit "$code"' -- \
  sh -c 'echo "$HOLDFAST_ITERATION" >>ran; touch "$HOLDFAST_SESSION_DIR/mine"' 2>/dev/null &
driver=$!
trap 'kill -s KILL "$driver" 2>/dev/null || :; remove_scratch' EXIT
read -r _ <asked
expect_code 0 "$HOLDFAST" workspace end w
for option in '' --runs; do
  # shellcheck disable=SC2086
  expect_code 0 gc $option --json
  expect_reason kept w series
done
echo 1 >answer
read -r _ <asked
echo 0 >answer
wait "$driver" || fail 'the goal was reached'
expect_ran 1 2
[ -e "$sessions/w/mine" ] || fail 'its directory was taken away'
expect_code 0 gc --json
expect_reason removed w ended
