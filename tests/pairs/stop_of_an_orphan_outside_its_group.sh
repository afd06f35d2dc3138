#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that left its control group, and whose supervisor was killed, is still its session: nobody runs under its
# name, `stop` ends it before it says so, and an adopter waits for it.
# label: system
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/process.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

away=$(cgroup2_root)/test-away-$$
mkdir "$away" 2>/dev/null || skip 'no control groups can be made here'
trap 'rmdir "$away" || :; remove_scratch' EXIT
mkfifo moved
# leaver NAME [OPTION…]: its whole tree goes to another group.
leaver() {
  leaver_name=$1
  shift
  orphan "$leaver_name" "$@" -- sh -c "echo \$\$ >$away/cgroup.procs; echo >moved; while :; do sleep 600; done" &
  read -r _ <moved
  wait "$!" || fail "no orphan $leaver_name"
  command=$(record "$leaver_name" .command.pid)
}
leaver a
[ -n "$(record a '.cgroup.path // ""')" ] || skip 'sessions have no control groups here'
expect_code 69 "$HOLDFAST" run --name a -- true
expect_code 0 "$HOLDFAST" stop a --grace 2s
! lives "$command" || fail 'stop said that it is over, and it lives'
expect_record a .state lost
expect_code 0 "$HOLDFAST" run --name a -- true

leaver b --timeout 1h
expect_code 0 "$HOLDFAST" adopt b
expect_record b .state running
expect_code 75 "$HOLDFAST" run --name b -- true
kill -s KILL "$command"
wait_for_end b
[ "$(record b .state)" != running ] || fail 'its end was not seen'
[ -z "$(cat "$away/cgroup.procs")" ] || fail "left: $(cat "$away/cgroup.procs")"
