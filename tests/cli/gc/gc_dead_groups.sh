#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run without a name whose supervisor is killed leaves a control group of which no record speaks: `gc` removes it, and
# no group of a run whose supervisor lives, or that somebody is in.
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

# start MARK: a run without a name; its own group in MARK.group, the command's number in MARK.pid.
start() {
  mkfifo "$1.up"
  # shellcheck disable=SC2016 # of the inner shell
  "$HOLDFAST" run --timeout 10m -- sh -c 'grep ^0:: /proc/self/cgroup | cut -c4- >"$0.group"; echo $$ >"$0.pid"; echo >"$0.up"; exec sleep 600' "$1" &
  eval "$1_front=$!"
  read -r _ <"$1.up"
  eval "$1_supervisor=$(awk '/^PPid/ { print $2 }' "/proc/$(cat "$1.pid")/status")"
}
group_of() { printf '%s%s' "$(cgroup2_root)" "$(cat "$1.group")"; }

trap 'kill -s KILL $(cat dead.pid live.pid 2>/dev/null) 2>/dev/null || :; remove_scratch' EXIT
start dead
# shellcheck disable=SC2154 # of start
case $(cat dead.group) in */holdfast-????????????????) ;; *) kill "$dead_front"; skip 'no control groups can be made here' ;; esac
start live
# shellcheck disable=SC2154 # of start
{
  kill -s KILL "$dead_supervisor"
  wait "$dead_front" || :
}
# Somebody is in it, and nobody knows whose: it stays.
expect_code 0 gc
[ -d "$(group_of dead)" ] || fail 'a group went with somebody in it'
kill -s KILL "$(cat dead.pid)" 2>/dev/null || :
tries=0
while grep -q 'populated 1' "$(group_of dead)/cgroup.events" 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 200 ] || fail 'it does not become empty'
  sleep 0.05
done
# That a plan leaves it cannot be seen here: the `gc` of any test beside this one may have it.
expect_code 0 gc
[ ! -d "$(group_of dead)" ] || fail 'it was left'
[ -d "$(group_of live)" ] || fail 'the group of a living supervisor went'
# shellcheck disable=SC2154 # of start
kill "$live_front"
wait || :
[ ! -d "$(group_of live)" ] || fail 'a run left its group'
