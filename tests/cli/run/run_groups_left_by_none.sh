#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# After runs of all kinds (with names and without, ended, killed, orphaned, adopted, stopped, collected) no control group
# of ours is left: tests of each kind run once more, in a group of their own that must be without any afterwards.
# label: system
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

root=$(cgroup2_root)
[ -n "$root" ] || skip 'no control groups of version 2 here'
home=$root$(sed -n 's/^0:://p' /proc/self/cgroup)
suite=$home/hf-suite.$$
mkdir "$suite" 2>/dev/null || skip 'no control groups can be made here'
leave() {
  echo $$ >"$home/cgroup.procs" 2>/dev/null || :
  # What a failure left behind goes with its groups.
  find "$suite" -depth -type d 2>/dev/null | while read -r group; do
    if [ -e "$group/cgroup.kill" ]; then echo 1 >"$group/cgroup.kill" 2>/dev/null || :; fi
    rmdir -- "$group" 2>/dev/null || :
  done
  remove_scratch
}
trap leave EXIT
echo $$ >"$suite/cgroup.procs" 2>/dev/null || skip 'nobody can be put into a control group here'

tests=$(dirname -- "$this_test")/..
ran=0
for test in run/run_deadline_ends_tree run/run_leftovers_are_ended run/run_group_kill_leaves_nothing run/run_status_fd \
  run/run_iterations_ends session/session_orphan session/stop_session session/stop_orphan session/adopt_session \
  process/kill_session_tree loop/loop_once gc/gc_dead_groups gc/gc_runs; do
  code=0
  sh "$tests/$test.sh" >"$stdout" 2>"$stderr" </dev/null || code=$?
  case $code in 0) ran=$((ran + 1)) ;; 4) ;; *) fail "$test: $code" ;; esac
  left=$(find "$suite" -type d -name 'holdfast-*')
  # A supervisor in the background may be at its last step.
  tries=0
  while [ -n "$left" ] && [ "$tries" -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
    left=$(find "$suite" -type d -name 'holdfast-*')
  done
  [ -z "$left" ] || fail "$test leaves $left"
done
[ "$ran" -gt 8 ] || fail "only $ran of them ran"
