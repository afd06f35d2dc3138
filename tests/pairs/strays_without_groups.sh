#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without a control group, too, a process that a command left with the init of another pid namespace is found by the run id
# and ended, before anything is called over: of a run with a deadline, a named run and `once`.
# label: system
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

unshare --pid --fork true 2>/dev/null || skip 'no pid namespaces can be made here'
unshare --mount mount -t tmpfs none /sys/fs/cgroup 2>/dev/null || skip 'control groups cannot be hidden here'
# hidden COMMAND…: where no control group can be made.
hidden() { unshare --mount --propagation private sh -c 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"' hidden "$@"; }

mkfifo up
unshare --pid --fork --kill-child sh -c 'echo >up; exec sleep 600' &
outer=$!
trap 'kill -s KILL "$outer" 2>/dev/null || :; remove_scratch' EXIT
read -r _ <up
inner=$(cat "/proc/$outer/task/$outer/children")
inner=${inner%% *}
expect_nobody_left() {
  [ -s seen ] || fail "$1: nothing ran in the other namespace"
  rm seen
  children=$(cat /proc/"$inner"/task/"$inner"/children)
  for left in $children; do
    grep -q '^State:.Z' "/proc/$left/status" || fail "$1: left with the other init: $(cat "/proc/$left/comm")"
  done
}
leave='(sleep 601 & echo left >seen)'
into="nsenter --target $inner --pid sh -c"
# shellcheck disable=SC2086  # words
expect_code 0 hidden "$HOLDFAST" run --timeout 1h -- $into "$leave"
expect_nobody_left 'a run with a deadline'
# shellcheck disable=SC2086
expect_code 0 hidden "$HOLDFAST" run --name fix -- $into "$leave"
expect_nobody_left 'a named run'
# shellcheck disable=SC2086
expect_code 0 hidden "$HOLDFAST" once key -- $into "$leave"
expect_nobody_left once
[ "$("$HOLDFAST" journal count --type process.killed)" -ge 3 ] || fail "the kills are not in the journal"

# Who is to be waited for is not ended, and then nothing proves that the tree is gone.
# shellcheck disable=SC2086
expect_code 72 hidden "$HOLDFAST" run --name waits --wait-descendants -- $into "$leave"
expect_stderr_contains sleep
