#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two loops on one file: one works, the other says who; a signal ends the loop and not the run, and the next loop
# accounts for it. Two files with one name do not share a state.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file
items a
mkfifo gate
script agent <<'X'
echo "run $1" >>story
read -r _ <gate
echo yes >"merged.$1"
X
"$HOLDFAST" loop fix.toml 2>first.err >first.out &
first=$!
"$HOLDFAST" wait fix-a --until running --timeout 20s >/dev/null 2>&1 || :
while [ "$(how_often 'run a')" -eq 0 ]; do kill -0 "$first" || fail "$(cat first.err)"; done
expect_code 75 "$HOLDFAST" loop fix.toml --once
expect_stderr_contains "process $first works on it"
kill -TERM "$first"
code=0
wait "$first" || code=$?
[ "$code" -eq 143 ] || fail "ended with $code: $(cat first.err)"
expect_item a running
# A working loop is under way for the item: nobody may say otherwise meanwhile.
expect_code 75 "$HOLDFAST" loop retry fix.toml a
echo go >gate
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item a 'done'
expect_times 1 'run a'

mkdir elsewhere
sed 's|^name.*||; s|^\[loop\]|[loop]\nname = "fix"|' fix.toml >elsewhere/fix.toml
expect_code 77 "$HOLDFAST" loop elsewhere/fix.toml --once
expect_stderr_contains 'it is of'
expect_code 77 "$HOLDFAST" loop status elsewhere/fix.toml
