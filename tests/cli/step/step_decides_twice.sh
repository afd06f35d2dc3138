#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whoever has decided to run, and is overtaken before its supervisor has the name, decides again and runs nothing.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 1 "$HOLDFAST" once k -- false
mkfifo gate up
"$HOLDFAST" lock session:once:k -- sh -c 'echo up >up; read -r _ <gate' &
read -r _ <up
# After a final record the name is waited for.
"$HOLDFAST" once k --json -- sh -c 'echo ran >>ran' >second.json 2>second.err &
second=$!
# There is a supervisor: the front end has decided.
until [ -n "$(cat "/proc/$second/task/$second/children" 2>/dev/null)" ]; do
  kill -0 "$second" 2>/dev/null || fail "it is over: $(cat second.json second.err)"
done
change "$(step_file once k)" '.done = {run: .history[0].run, at: {boot: "00112233445566778899aabbccddeeff", boot_ns: 1, wall: .created}}'
echo >gate
wait "$second" || fail "the second failed: $(cat second.json second.err)"
[ "$(jq -r .decision second.json)" = skipped ] || fail "the second: $(cat second.json)"
expect_runs 0
wait
