#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A clean-up keeps a run that a loop has started and not counted yet; if a loop's log cannot be read, it keeps all runs.
. "$(dirname -- "$0")/../lib/loop.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"
make_world
loop_file
items one
mkfifo go
script agent <<'Y'
echo "run $1" >>story
read -r _ <go
echo yes >"merged.$1"
Y

expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
echo >go
expect_code 0 "$HOLDFAST" wait fix-one
expect_code 0 gc --runs --json
expect_reason kept fix-one loop
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item one 'done'
expect_times 1 'run one'

# It was counted: it goes, but not while a log of a loop is damaged.
log=$HOLDFAST_HOME/loops/fix/items.log
cp -p "$log" kept.log
echo damaged >>"$log"
expect_code 0 gc --runs --json
expect_reason unknown fix-one claim-unknown
expect_stderr_contains items.log
cp -p kept.log "$log"
expect_code 0 gc --runs --json
expect_reason removed fix-one run-ended
