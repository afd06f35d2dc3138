#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An exit status is a claim: after exit 0 the verification decides. 0 confirms; 69, 125 and above, a signal and a
# time-out cannot tell; the rest refutes; both are 76. It does not run after another exit. on-end sees the state.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --name v --verify 'test -e made' -- touch made
expect_record v .state exited
expect_record v .verified true
for no in 1 2 66 75 124; do
  expect_code 76 "$HOLDFAST" run --name v --verify "exit $no" -- true
  expect_record v .state unverified
  expect_record v .verified false
  expect_record v .reason refuted
done
for unknown in 'exit 69' 'exit 125' 'exit 127' 'kill -9 $$' 'sleep 60'; do
  expect_code 76 "$HOLDFAST" run --name v --verify-timeout 300ms --verify "$unknown" -- true
  expect_record v .state unverified
  expect_record v .reason unverified
done
expect_code 5 "$HOLDFAST" run --name v --verify 'touch asked' -- sh -c 'exit 5'
expect_code 124 "$HOLDFAST" run --name v --timeout 200ms --verify 'touch asked' -- sh -c 'trap "exit 0" TERM; while :; do sleep 0.05; done'
[ ! -e asked ] || fail 'what was no success was verified'
expect_code 76 "$HOLDFAST" run --json --verify false -- true
expect_json .verified false
expect_json .state unverified

# shellcheck disable=SC2016
expect_code 6 "$HOLDFAST" run --name e --on-end 'echo "$HOLDFAST_STATE $HOLDFAST_EXIT_CODE $HOLDFAST_SESSION" >end' -- sh -c 'exit 6'
[ "$(cat end)" = 'exited 6 e' ] || fail "on-end was told: $(cat end)"
