#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A loop that is killed while a run goes on leaves no lock behind in the run's supervisor: not its own, not the
# journal's, not the log's.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file
items a
mkfifo gate
script agent <<'X'
echo "run $1" >>story
read -r _ <gate
echo yes >"merged.$1"
X
expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
supervisor=$(jq .supervisor.pid "$HOLDFAST_HOME/sessions/fix-a/session.json")
# Of the locks that the supervisor has open only those of the run: its name's, and its control group's.
for fd in /proc/"$supervisor"/fd/*; do
  grep -q '^lock:' "/proc/$supervisor/fdinfo/${fd##*/}" 2>/dev/null || continue
  case $(readlink "$fd") in
    */locks/session%3Afix-a.lock | /sys/fs/cgroup/*/holdfast-* | /sys/fs/cgroup/holdfast-*) ;;
    *) fail "the supervisor has a lock of $(readlink "$fd")" ;;
  esac
done
# Nor a descriptor of what the loop locks from time to time.
for fd in /proc/"$supervisor"/fd/*; do
  case $(readlink "$fd") in
    */loops/fix/items.log | */locks/loop%3Afix.lock) fail "the supervisor has $(readlink "$fd") open" ;;
    *) ;;
  esac
done
echo go >gate
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item a 'done'
