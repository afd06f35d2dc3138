#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A notice whose command was killed, timed out or was asked to end may have been sent: it is not sent again, the caller is
# told so, and the next notice says so.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

say() { printf '%s\n' "$2" | "$HOLDFAST" notify "$1" --json -- sh -c 'cat >>sent'; }
# unsure KEY: its notice was given to a command, and stays unsure.
unsure() {
  expect_code 0 "$HOLDFAST" step show --kind notify "$1" --json
  expect_json .state unsure
  expect_code 0 say "$1" first
  expect_json .decision suppressed
  [ ! -s sent ] || fail "$1: it was sent again"
  expect_code 0 say "$1" second
  grep -q '^second$' sent || fail "$1: sent: $(cat sent)"
  grep -q 'whether the notice of .* arrived is not known' sent || fail "$1: nobody is told: $(cat sent)"
  rm sent
}

printf 'first\n' | expect_code 137 "$HOLDFAST" notify killed -- sh -c 'kill -s KILL $$'
expect_stderr_contains 'may have been sent'
unsure killed

printf 'first\n' | expect_code 124 "$HOLDFAST" notify late --timeout 50ms --grace 0 --json -- sleep 60
expect_json .next null
unsure late

mkfifo up
printf 'first\n' | "$HOLDFAST" notify asked -- sh -c 'trap "exit 3" TERM; echo up >up; while :; do sleep 0.05; done' 2>/dev/null &
wait_up
expect_code 0 "$HOLDFAST" stop notify:asked
wait $! && fail 'one that was stopped has succeeded'
unsure asked

# A command that failed by itself has sent nothing.
printf 'first\n' | expect_code 3 "$HOLDFAST" notify failed -- sh -c 'exit 3'
expect_code 0 "$HOLDFAST" step show --kind notify failed --json
expect_json .state waiting
