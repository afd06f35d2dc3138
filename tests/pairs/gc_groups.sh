#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The control group of a run whose supervisor was killed goes with the run: when gc takes it, when the next run of its
# name begins, and also where the supervisor died before the group was on record.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

field() { jq -r "$2" "$sessions/$1/session.json"; }
# killed NAME: a run, whose supervisor and then its command are killed; $group is its control group.
killed() {
  "$HOLDFAST" run --name "$1" --detach -- sleep 1000
  "$HOLDFAST" wait "$1" --until running >/dev/null
  group=$(field "$1" '.cgroup.path // empty')
  [ -n "$group" ] || { "$HOLDFAST" stop "$1"; skip 'no control group can be made here'; }
  kill -s KILL "$(field "$1" .supervisor.pid)"
  kill -s KILL "$(field "$1" .command.pid)"
  until grep -q 'populated 0' "$group/cgroup.events"; do :; done
}
killed a
expect_code 0 gc --runs --json
expect_reason removed a run-ended
[ ! -d "$group" ] || fail 'gc left the group behind'

killed b
expect_code 0 "$HOLDFAST" run --name b -- true
[ ! -d "$group" ] || fail 'the next run left the group behind'

# As a supervisor leaves it that dies right after it has made its group.
killed c
jq -c 'del(.cgroup, .command, .crc32c) | .state = "reserved"' "$sessions/c/session.json" >changed
cat changed >"$sessions/c/session.json"
expect_code 0 "$HOLDFAST" run --name c -- true
[ ! -d "$group" ] || fail 'a group that is in no record was left behind'
