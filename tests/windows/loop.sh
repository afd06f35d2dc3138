#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A loop: items that succeed, lie, fail and cannot be verified are where the world says, and on record; an item that
# fails for good is given up and told; a person's word counts; a pause begins nothing; of two loops one works.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"
. "$(dirname -- "$0")/loop.inc"
make_world
loop_file 'attempts = 2'
items good lying sick fog
touch lying.lying sick.sick fog.fog

expect_code 0 "$HOLDFAST" loop fix.toml --dry-run --json
[ "$(json_field '[.items[] | select(.begins).id] | join(" ")')" = 'good lying' ] || fail 'the plan'
[ ! -e "$HOLDFAST_HOME/loops" ] || fail 'a dry run left something'

expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item good 'done'
expect_item lying waiting
expect_item sick waiting
expect_item fog verifying
expect_times 1 good close
expect_times 0 lying close
[ "$(item lying .reason)" = refuted ] || fail "$(item lying .reason)"
[ "$(item sick .reason)" = exit-1 ] || fail "$(item sick .reason)"
[ "$(item fog .reason)" = cannot-tell ] || fail "$(item fog .reason)"
# The item came on stdin and in the environment, the notice on stdin.
[ "$(plain got.good)" = 'good 1 {"id":"good"}' ] || fail "given: $(plain got.good)"
expect_times 1 sick tell
grep -q sick told.sick || fail "told: $(cat told.sick)"

# The second and last attempt: given up, and done no more.
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item sick gave_up
expect_times 2 sick run
expect_times 2 sick tell
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_times 2 sick run

rm sick.sick
expect_code 0 "$HOLDFAST" loop pause fix.toml --reason 'not now'
expect_code 0 "$HOLDFAST" loop retry fix.toml sick
expect_code 75 "$HOLDFAST" loop fix.toml --once
expect_stderr_contains 'not now'
expect_times 2 sick run
expect_code 0 "$HOLDFAST" loop resume fix.toml
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item sick 'done'
expect_times 3 sick run
expect_code 0 "$HOLDFAST" loop 'done' fix.toml lying --reason 'by hand'
expect_item lying 'done'
expect_times 1 good run
expect_code 66 "$HOLDFAST" loop retry fix.toml nosuch

# Of two loops on one file one works; what it has under way is nobody else's.
items slow
touch slow.slow
"$HOLDFAST" loop fix.toml --once >first.out 2>&1 &
first=$!
wait_until test -e up.slow
expect_code 75 "$HOLDFAST" loop fix.toml --once
expect_code 75 "$HOLDFAST" loop retry fix.toml slow
: >go.slow
wait "$first" || fail "the first loop: $(cat first.out)"
expect_item slow 'done'
expect_times 1 slow run
[ "$("$HOLDFAST" journal count --type loop.verified)" -eq 3 ] || fail 'the journal'
