#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `once` whose supervisor was killed and whose command was adopted: it is done if that exits with 0, and free if not.
. "$(dirname -- "$0")/../cli/step.inc"
. "$(dirname -- "$0")/../cli/lib.sh"

make_gate
for code in 3 0; do
  "$HOLDFAST" once k -- ./gated 2>/dev/null &
  wait_up
  kill -s KILL "$(cat boss)"
  wait "$!" || :
  "$HOLDFAST" wait once:k --until orphaned >/dev/null || fail 'no orphan'
  "$HOLDFAST" adopt once:k >/dev/null 2>&1 || skip 'nobody can adopt it here'
  open_gate "$code"
  "$HOLDFAST" wait once:k >/dev/null 2>&1 || :
  [ "$(jq -r .state "$(step_session once k)")" = exited ] || skip 'this kernel does not say how it ended'
done
expect_runs 2
expect_code 0 "$HOLDFAST" once k --json -- touch second
[ ! -e second ] || fail 'what was done is done again'
expect_code 0 "$HOLDFAST" once show k --json
expect_json .state 'done'
