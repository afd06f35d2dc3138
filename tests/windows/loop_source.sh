#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a loop begins nothing on: a source that fails, hangs or is garbled; an item that is not listed any more; text of an
# item in a line for the shell; a budget that is used up; a damaged log. A runaway is ended whole, a run that was stopped
# is no success.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"
. "$(dirname -- "$0")/loop.inc"
make_world
pass() { expect_code 0 "$HOLDFAST" loop fix.toml --once; }

items one
for source in 'exit 69' 'type items& exit 1' 'echo {"id":"one"' 'ping -n 30 127.0.0.1 >nul'; do
  loop_file 'source_timeout = "3s"'
  sed -i "s|^source = .*|source = '$source'|" fix.toml
  expect_code 69 "$HOLDFAST" loop fix.toml --once
done
loop_file
sed -i 's|^run = .*|run = "agent.cmd {id}"|' fix.toml
expect_code 78 "$HOLDFAST" loop fix.toml --once
expect_times 0 one run

# Not listed any more: not begun, not by a person's word either.
loop_file 'attempts = 1'
items good bad
touch sick.bad
pass
expect_item bad gave_up
rm sick.bad
items good
expect_code 0 "$HOLDFAST" loop retry fix.toml bad
pass
expect_item bad waiting
expect_item good 'done'
expect_times 1 bad run
items good bad
pass
expect_item bad 'done'
expect_times 1 good run

# A runaway is ended with what it started; the item has failed.
batch beats <<'X'
@echo off
:again
echo x>>beats
ping -n 2 127.0.0.1 >nul 2>nul
goto again
X
batch agent <<'X'
@echo off
echo run>>story.%1
start /b cmd /c beats.cmd
:again
ping -n 2 127.0.0.1 >nul 2>nul
goto again
X
loop_file 'attempts = 1' 'timeout = "3s"' 'grace = "0s"'
items runaway
pass
expect_item runaway gave_up
before=$(wc -l <beats)
expect_code 0 "$HOLDFAST" run -- "$cmd" /c 'ping -n 4 127.0.0.1 >nul 2>nul'
[ "$(wc -l <beats)" -eq "$before" ] || fail 'what the runaway had started goes on'

# Stopped by a person: no success, though it had merged.
make_world
loop_file 'attempts = 1'
items stopped
touch slow.stopped
"$HOLDFAST" loop fix.toml --once >loop.out 2>&1 &
loop=$!
wait_until test -e up.stopped
expect_code 0 "$HOLDFAST" stop fix-stopped --grace 0
wait "$loop" || fail "the loop: $(cat loop.out)"
[ "$(item stopped .state)" != 'done' ] || fail 'a run that was stopped counts as done'
expect_times 0 stopped close

# A budget, and a pause that cannot be read.
loop_file 'name = "small"' '[loop.budget]' 'items = 1'
sed -i 's/^concurrency.*/concurrency = 1/' fix.toml
items first second
expect_code 0 "$HOLDFAST" loop fix.toml --once --json
expect_json .budget items
expect_times 0 second run
echo garbage >"$HOLDFAST_HOME/loops/small/paused"
expect_code 75 "$HOLDFAST" loop fix.toml --once
rm "$HOLDFAST_HOME/loops/small/paused"

log=$HOLDFAST_HOME/loops/small/items.log
echo damaged >>"$log"
cp "$log" before
expect_code 65 "$HOLDFAST" loop fix.toml --once
cmp "$log" before || fail 'a damaged log was written over'
expect_times 0 second run
