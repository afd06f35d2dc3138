#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A wait of more than a second says on a terminal for whom it waits, in a line on stderr that disappears; a short one,
# -q, --json and a stderr that is a file say nothing.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST TERM=xterm
clear=$(printf '\r\033[K')

on_terminal() { script -qec "$1" /dev/null </dev/null >"$stdout" 2>&1 || :; }
disappears() {
  expect_stdout_contains "$1"
  # What stands behind the last clearing is no line of ours.
  tr '\r' '\n' <"$stdout" | tail -n 1 >last
  ! grep -q waiting last || fail "still there: $(cat last)"
  grep -qF "$clear" "$stdout" || fail 'the line is not cleared'
}

expect_code 0 "$HOLDFAST" run --name sleeper --detach --no-log -- sleep 300
trap '"$HOLDFAST" stop sleeper stubborn >/dev/null 2>&1 || :; remove_scratch' EXIT
# shellcheck disable=SC2016 # the inner shell expands these lines
waits='"$HOLDFAST" wait sleeper --timeout 1500ms'
on_terminal "$waits"
disappears "waiting for 'sleeper' to end 1s"
on_terminal '"$HOLDFAST" until --timeout 2500ms --every 1500ms -- false'
disappears "waiting for a yes of 'false', asked 1 time 1s"
on_terminal '"$HOLDFAST" gc --probe "sleep 1.5; echo x" --plan; "$HOLDFAST" workspace new x --authority command:x >/dev/null; "$HOLDFAST" gc --grace 0 --probe "sleep 1.5; echo x" --plan'
disappears 'waiting for the answer of'

expect_code 0 "$HOLDFAST" run --name stubborn --detach --no-log --grace 2s -- sh -c 'trap "" TERM; while :; do sleep 1; done'
# shellcheck disable=SC2016
on_terminal '"$HOLDFAST" stop stubborn'
disappears "waiting for 'stubborn' to end 1s"

# shellcheck disable=SC2016
for quiet in "$waits -q" "$waits --json" "$waits 2>errors" '"$HOLDFAST" wait sleeper --timeout 300ms'; do
  on_terminal "$quiet"
  ! grep -q 'waiting for' "$stdout" || fail "a line in spite of $quiet"
done
