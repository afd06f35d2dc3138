#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who enters another pid namespace leaves his children to the init of that one, and not to the supervisor: a run with a
# deadline ends them all the same, and so does a named run whose command has left its control group as well.
# label: system
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

unshare --pid --fork true 2>/dev/null || skip 'no pid namespaces can be made here'
mkdir "$(cgroup2_root)/test-$$" 2>/dev/null || skip 'no control groups can be made here'
rmdir "$(cgroup2_root)/test-$$"
mkfifo up
unshare --pid --fork --kill-child sh -c 'echo >up; exec sleep 600' &
outer=$!
trap 'kill -s KILL "$outer" 2>/dev/null || :; remove_scratch' EXIT
read -r _ <up
inner=$(cat "/proc/$outer/task/$outer/children")
inner=${inner%% *}
expect_code 0 "$HOLDFAST" run --timeout 1h -- nsenter --target "$inner" --pid sh -c '(sleep 601 & echo "$(readlink /proc/self/ns/pid)" >seen)'
[ -s seen ] || fail 'nothing ran in the other namespace'
# One that has ended and that nobody reaps is no longer at work.
expect_nobody_left() {
  children=$(cat /proc/"$inner"/task/"$inner"/children)
  for left in $children; do
    grep -q '^State:.Z' "/proc/$left/status" || fail "left with the init of the other namespace: $(cat "/proc/$left/comm")"
  done
}
expect_nobody_left
rm seen
expect_code 0 "$HOLDFAST" run --name both -- sh -c 'echo 0 >"$1/cgroup.procs" && exec nsenter --target "$2" --pid sh -c "(sleep 602 & echo left >seen)"' \
  both "$(cgroup2_root)" "$inner"
[ -s seen ] || fail 'nothing ran in the other namespace, outside of the group'
expect_nobody_left
