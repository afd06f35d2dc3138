#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A series ends by failures in a row, by a plateau, and by its time; a goal or a progress that cannot be told is neither
# reached nor idle.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# Failures in a row, with the command's own code; one success between them begins the row anew.
expect_code 9 "$HOLDFAST" run --name bad --iterations 20 --json -- sh -c 'echo x >>tries; exit 9'
expect_json '[.reason, .done, .errors, .exit_code] | join(" ")' 'errors 3 3 9'
[ "$(wc -l <tries)" -eq 3 ] || fail "$(wc -l <tries) tries, not 3"
expect_code 5 "$HOLDFAST" run --name row --iterations 20 --max-errors 2 --json -- \
  sh -c 'case $HOLDFAST_ITERATION in 1 | 3) exit 4 ;; 2) exit 0 ;; esac; exit 5'
expect_json .done 4
expect_code 127 "$HOLDFAST" run --name none --iterations 20 --max-errors 1 --json -- no-such-command
expect_json '[.reason, .history[0].state] | join(" ")' 'errors failed'
expect_code 124 "$HOLDFAST" run --name slow --iterations 20 --max-errors 1 --iteration-timeout 0.05 --grace 0 --json -- \
  sleep 1000
expect_json '[.reason, .state, .history[0].state] | join(" ")' 'errors timed_out timed_out'
# Exit 0 that its verification refutes is a failure.
expect_code 76 "$HOLDFAST" run --name claim --iterations 20 --max-errors 2 --verify false --json -- true
expect_json '[.reason, .done, .history[0].state] | join(" ")' 'errors 2 unverified'

# A plateau: the mark stays as it was.
echo a >mark
expect_code 0 "$HOLDFAST" run --name flat --iterations 20 --progress 'cat mark' --json -- true
expect_json '[.reason, .done, .idle] | join(" ")' 'plateau 3 3'
expect_code 76 "$HOLDFAST" run --name flat --iterations 20 --progress 'cat mark' --max-idle 2 --until false --json -- \
  sh -c 'case $HOLDFAST_ITERATION in 2) echo b >mark ;; esac'
expect_json '[.reason, .done] | join(" ")' 'plateau 4'
expect_json '[.history[].idle] | map(tostring) | join(" ")' 'true false true true'
# A progress that fails is neither: four iterations, and no plateau of two in a row is seen.
expect_code 0 "$HOLDFAST" run --name blind --iterations 4 --progress 'cat mark; exit 1' --max-idle 1 --json -- true
expect_json '[.reason, .idle] | join(" ")' 'iterations 0'
expect_json '[.history[].idle] | unique | .[0]' null
expect_stderr_contains 'cannot be told'
# Nor does it end a row.
expect_code 0 "$HOLDFAST" run --name gap --iterations 9 --progress 'test ! -e blind && cat mark' --max-idle 2 --json -- \
  sh -c 'rm -f blind; case $HOLDFAST_ITERATION in 2) touch blind ;; esac'
expect_json '[.reason, .done] | join(" ")' 'plateau 3'

# A goal that cannot be told: nothing more is started, 69, and the same command goes on.
for answer in 'exit 69' 'exit 126' 'kill -s KILL $$'; do
  rm -f ran
  expect_code 69 "$HOLDFAST" run --name vague --iterations 5 --until "test -e ran || exit 1; $answer" \
    --json -- sh -c 'echo $HOLDFAST_ITERATION >>ran'
  expect_json '[.reason, .done] | join(" ")' 'cannot-tell 1'
  expect_json .error.cause goal-unknown
  expect_ran 1
  expect_code 69 "$HOLDFAST" run --name vague --iterations 5 --until "$answer" -- sh -c 'echo $HOLDFAST_ITERATION >>ran'
  expect_ran 1
  expect_code 76 "$HOLDFAST" run --name vague --iterations 2 --until 'exit 1' --json -- sh -c 'echo $HOLDFAST_ITERATION >>ran'
  expect_ran 1 2
done
expect_code 69 "$HOLDFAST" run --name hung --iterations 5 --until 'sleep 1000' --verify-timeout 0.05 -- touch never
[ ! -e never ] || fail 'it began while nobody could tell'

# The time of the whole series; the iteration under way is ended.
expect_code 124 "$HOLDFAST" run --name late --iterations 5 --timeout 2 --grace 0 --json -- sleep 1000
expect_json '[.reason, .done] | join(" ")' 'deadline 1'
