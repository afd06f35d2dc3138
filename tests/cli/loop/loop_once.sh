#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One pass over items that succeed, lie, fail and cannot be verified: each is where the world says, and on record.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file 'attempts = 2'
items good lying sick fog
touch lying.lying sick.sick fog.fog

expect_code 0 "$HOLDFAST" loop fix.toml --dry-run --json
[ "$(jq -r '[.items[] | select(.begins).id] | join(" ")' <"$stdout")" = 'good lying' ] || fail 'the plan'
[ ! -s story ] || fail 'a dry run did something'
[ ! -e "$HOLDFAST_HOME/loops" ] || fail 'a dry run left something'

expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item good 'done'
expect_item lying waiting
expect_item sick waiting
expect_item fog verifying
expect_times 1 'close good'
expect_times 0 'close lying'
expect_times 1 'tell lying'
# A notice quotes what a run printed; it is gone when it was sent.
for text in "$HOLDFAST_HOME"/loops/*/items/*.text; do
  [ ! -e "$text" ] || fail "left of a notice: $(cat "$text")"
done
expect_times 1 'tell sick'
expect_times 1 'verify sick no'
[ "$(item lying .reason)" = refuted ] || fail "$(item lying .reason)"
[ "$(item sick .reason)" = exit-1 ] || fail "$(item sick .reason)"
[ "$(item fog .reason)" = cannot-tell ] || fail "$(item fog .reason)"
[ "$(item lying .next)" != null ] || fail 'no next time'
[ "$(jq -r '.order.environment[1]' "$HOLDFAST_HOME/sessions/fix-good/session.json")" = HOLDFAST_ITEM_ID=good ] ||
  fail 'the environment'

# Not due: nothing happens. A person's word makes it due, with all its attempts.
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_times 1 'run lying'
rm lying.lying
expect_code 0 "$HOLDFAST" loop retry fix.toml lying
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item lying 'done'
expect_times 1 'close lying'
expect_code 66 "$HOLDFAST" loop retry fix.toml nosuch
expect_code 0 "$HOLDFAST" loop 'done' fix.toml sick --reason 'by hand'
expect_item sick 'done'
expect_times 0 'close sick'
# What is done stays done while the source lists it.
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_times 1 'run good'
[ "$("$HOLDFAST" journal count --type loop.verified)" -eq 2 ] || fail 'the journal'
