#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Under --hook every answer but success of a series, a step and a loop is 2, with a reason; so is that of a hook inside a
# hook.
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/loop.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_world
loop_file
items one
make_gate
# blocks CMD…
blocks() {
  expect_code 2 "$@"
  [ -s "$stderr" ] || fail "blocked without a reason: $*"
}
# A series: its goal, its driver, its record.
blocks "$HOLDFAST" run --hook --name s --iterations 2 --until false -- true
"$HOLDFAST" run --name busy --iterations 1 -- ./gated 2>/dev/null &
driver=$!
wait_up
blocks "$HOLDFAST" run --hook --name busy --iterations 1 -- ./gated
open_gate 0
wait "$driver" || fail 'the driver failed'
: >"$HOLDFAST_HOME/sessions/s/series.json"
blocks "$HOLDFAST" run --hook --name s --iterations 2 -- true
expect_code 0 "$HOLDFAST" run --hook --name fine --iterations 2 -- true

# A step: busy, exhausted, of a newer version, damaged.
"$HOLDFAST" once k -- ./gated 2>/dev/null &
step=$!
wait_up
blocks "$HOLDFAST" once --hook k -- true
open_gate 0
wait "$step" || fail 'the step failed'
expect_code 0 "$HOLDFAST" once --hook k -- false
expect_code 1 "$HOLDFAST" attempt --hook a --max 1 -- false
blocks "$HOLDFAST" attempt --hook a --max 1 -- true
jq -c '.v = 99' "$(step_file once k)" >newer && cat newer >"$(step_file once k)"
expect_code 69 "$HOLDFAST" once k -- true
blocks "$HOLDFAST" once --hook k -- true
: >"$(step_file once k)"
blocks "$HOLDFAST" once --hook k -- true

# A loop whose source cannot be asked, and one whose log is damaged.
expect_code 0 "$HOLDFAST" loop --hook fix.toml --once
rm items
blocks "$HOLDFAST" loop --hook fix.toml --once
items one
: >"$HOLDFAST_HOME/loops/fix/items.log"
blocks "$HOLDFAST" loop --hook fix.toml --once

# A hook inside a hook: its 2 reaches the host, and the budget of the outer one bounds its wait.
blocks "$HOLDFAST" lock --hook --budget 20s outer -- "$HOLDFAST" ledger --hook last not-there.json
"$HOLDFAST" lock held -- ./gated 2>/dev/null &
holder=$!
wait_up
blocks "$HOLDFAST" lock --hook --budget 2s outer -- "$HOLDFAST" lock --hook --wait 1m held -- touch never
[ ! -e never ] || fail 'it ran beside the holder'
open_gate 0
wait "$holder" || fail 'the holder failed'
