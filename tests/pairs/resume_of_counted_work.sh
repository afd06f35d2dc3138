#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `resume` of a session whose runs a step, a series or a loop counts is refused (64), names what to use, and runs nothing;
# a plain run under such a name is not theirs, once it is the last one of a series.
. "$(dirname -- "$0")/../lib/loop.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_world
loop_file
items one
agent='echo ran >>ran'
expect_code 0 "$HOLDFAST" once k -- sh -c "$agent"
expect_code 1 "$HOLDFAST" attempt k --max 2 -- sh -c "$agent; exit 1"
expect_code 0 "$HOLDFAST" notify k -- sh -c "$agent" <<'E'
text
E
expect_code 0 "$HOLDFAST" run --name s --iterations 1 -- sh -c "$agent"
expect_code 0 "$HOLDFAST" loop fix.toml --once
cp ran before
cp story told

# refused SESSION INSTEAD
refused() {
  expect_code 64 "$HOLDFAST" resume "$1" --json
  expect_json .error.cause counted-elsewhere
  json_field .error.detail | grep -qF "$2" || fail "$1: $(json_field .error.detail)"
}
refused once:k 'holdfast once k'
refused attempt:k 'holdfast attempt k'
refused notify:k 'holdfast notify k'
refused s 'holdfast run --name s --iterations'
refused fix-one 'holdfast loop retry FILE one'
cmp ran before || fail 'a step or a series ran again'
cmp story told || fail 'the item ran again'

# What cannot be read is not "nobody".
cp "$HOLDFAST_HOME/loops/fix/items.log" whole
echo damaged >>"$HOLDFAST_HOME/loops/fix/items.log"
expect_code 0 "$HOLDFAST" run --name s -- sh -c "$agent"
expect_code 65 "$HOLDFAST" resume s
cat whole >"$HOLDFAST_HOME/loops/fix/items.log"
expect_code 0 "$HOLDFAST" resume s
[ "$(wc -l <ran)" -eq "$(($(wc -l <before) + 2))" ] || fail 'a plain run was not resumed'
