#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `stop` stops a series also between two iterations: in the pause, and while it asks for its goal or its progress. No
# further iteration begins, and the same command goes on later.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo asked
# between OPTION: a series that has done one iteration and will not begin the next by itself.
between() {
  rm -f began ran
  "$HOLDFAST" run --name q --fresh --iterations 2 "$1" --json -- sh -c 'touch began; echo $HOLDFAST_ITERATION >>ran' \
    >out 2>/dev/null &
  driver=$!
  case $1 in
    --pause*) until [ "$(series q .done 2>/dev/null)" = 1 ]; do sleep 0.02; done ;;
    *) read -r _ <asked || : ;;
  esac
}
# stopped: the driver has ended, by the signal or on its own, and has begun nothing.
stopped() {
  code=0
  wait "$driver" || code=$?
  [ "$code" -eq 143 ] || fail "the driver's code is $code, not 143"
  expect_ran 1
  [ "$(series q '.over // "no"')" = no ] || fail 'it is over'
  expect_code 0 "$HOLDFAST" run --name q --iterations 2 --json -- sh -c 'touch began; echo $HOLDFAST_ITERATION >>ran'
  expect_ran 1 2
}
for option in --pause=1h "--until=test -e began || exit 1; echo >asked; sleep 1000" \
  "--progress=test -e began || exit 1; echo >asked; sleep 1000"; do
  between "$option"
  expect_code 0 "$HOLDFAST" stop q --json
  expect_json '[.outcome, .evidence] | join(" ")' 'killed series-stopped'
  stopped
done
between --pause=1h
expect_code 0 "$HOLDFAST" stop --all --json
expect_json '.sessions | map(.name) | join(" ")' q
stopped
# A driver that is stopped by job control is ended, too.
between --pause=1h
kill -s STOP "$driver"
expect_code 0 "$HOLDFAST" stop q
stopped

# Before the first iteration there is no session at all.
"$HOLDFAST" run --name none --iterations 2 --until 'echo >asked; sleep 1000' -- touch never 2>/dev/null &
driver=$!
read -r _ <asked || :
expect_code 0 "$HOLDFAST" stop none --json
expect_json '[.outcome, .evidence] | join(" ")' 'killed series-stopped'
wait "$driver" 2>/dev/null && fail 'it is said to have succeeded'
[ ! -e never ] || fail 'it began'

# Nobody drives: it was over already.
expect_code 66 "$HOLDFAST" stop q --json
expect_json .evidence recorded
