#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `resume` keeps the whole order: it waits for the locks and does not run without them, verifies again, enforces the
# limits, and counts its deadline anew; the run id is another.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lock_command.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 76 "$HOLDFAST" run --name a --lock x --verify 'echo asked >>asked; exit 1' --nofile 77 \
  --timeout 1h -- sh -c 'echo ran >>ran; ulimit -n >>limit'
first=$(record a .run)
hold x
expect_code 75 "$HOLDFAST" resume a --budget 400ms
expect_stderr_contains "process $work"
[ "$(wc -l <ran)" -eq 1 ] || fail 'it ran beside the holder of its lock'
let_go
expect_code 76 "$HOLDFAST" resume a
[ "$(wc -l <ran)" -eq 2 ] || fail 'it did not run'
[ "$(wc -l <asked)" -eq 2 ] || fail 'its verification was not asked'
[ "$(tr '\n' ' ' <limit)" = '77 77 ' ] || fail "the limit: $(cat limit)"
[ "$(record a .run)" != "$first" ] || fail 'the same run id'

# A deadline that has passed is that of the run before.
expect_code 124 "$HOLDFAST" run --name b --timeout 300ms --grace 0 -- sh -c 'test -e quick || exec sleep 600'
touch quick
expect_code 0 "$HOLDFAST" resume b
rm quick
expect_code 124 "$HOLDFAST" resume b
