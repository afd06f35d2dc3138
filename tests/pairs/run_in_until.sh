#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A named run inside a try of `until`, which is cut off: the run is ended whole, and its record says so.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/process.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

export HOLDFAST
# One that does not hear TERM is killed with its supervisor: nobody saw how it ended, and the name is free. (Both at a
# time: within the time-out each of them has to start.)
# shellcheck disable=SC2016
"$HOLDFAST" until --timeout 5s --grace 100ms -- "$HOLDFAST" run --name k -- sh -c '
  trap "" TERM; setsid sh -c "echo \$\$ >stubborn; while :; do sleep 600; done" & while :; do sleep 600; done' 2>/dev/null &
killed=$!
# shellcheck disable=SC2016
expect_code 69 "$HOLDFAST" until --timeout 5s -- "$HOLDFAST" run --name n -- sh -c 'setsid sleep 600 & echo $! >left; wait'
expect_dead "$(cat left)"
[ "$(record n .asked.by)" != null ] || fail 'who asked it to end is not on record'
expect_code 143 "$HOLDFAST" wait n

code=0
wait "$killed" || code=$?
[ "$code" -eq 69 ] || fail "the second one ended with $code"
expect_dead "$(cat stubborn)"
expect_code 0 "$HOLDFAST" show k --json
case $(json_field '.state + " " + .containment') in
lost\ * | killed\ *) ;;
orphaned\ subreaper*) expect_code 0 "$HOLDFAST" stop k --assume-gone --reason 'seen to end' ;;
*) fail "it is $(json_field .state)" ;;
esac
expect_code 0 "$HOLDFAST" run --name k -- true
