#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `wait` and `logs -f` of a session that `run --iterations` drives end with the series, not with an iteration: with its
# code, and with what all of its iterations printed.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

make_gate
sed -i '2a echo "says $HOLDFAST_ITERATION"' gated
"$HOLDFAST" run --name q --iterations 3 --until false --pause 10ms -- ./gated >/dev/null 2>&1 &
driver=$!
wait_up
"$HOLDFAST" wait q 2>wait.err &
waiter=$!
"$HOLDFAST" logs -f q >followed &
follower=$!
"$HOLDFAST" logs -f --run 1 q >first &
one=$!
for _ in 1 2; do
  open_gate 0
  wait_up
done
# While it goes on, a state that has passed can come again.
expect_code 0 "$HOLDFAST" wait q --until running
expect_code 75 "$HOLDFAST" wait q --timeout 0
expect_stderr_contains 'its series goes on'
open_gate 0
code=0
wait "$waiter" || code=$?
[ "$code" -eq 76 ] || fail "wait: $code, not the 76 of the series: $(cat wait.err)"
wait "$follower" || fail 'logs -f failed'
[ "$(paste -sd' ' followed)" = 'says 1 says 2 says 3' ] || fail "followed: $(cat followed)"
wait "$one" || fail 'logs -f --run 1 failed'
[ "$(cat first)" = 'says 1' ] || fail "the first run: $(cat first)"
wait "$driver" && fail 'the series has succeeded'

# Afterwards, too; but a plain run of the same name is a run of its own.
expect_code 76 "$HOLDFAST" wait q
expect_code 3 "$HOLDFAST" run --name q -- sh -c 'exit 3'
expect_code 3 "$HOLDFAST" wait q
expect_code 0 "$HOLDFAST" logs -f q
expect_no_stdout
